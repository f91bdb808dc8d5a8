/** Finds the name that somebody most likely meant; the settings are not the only names that can be mistyped. */
export { editDistance, nearestName, sameName } from '../kernel/nearest.ts';
