/** Suggests the most similar name of a setting. */
export { editDistance, nearestName, sameName } from '../kernel/nearest.ts';
