/** Items: what adapters keep for other frameworks, and what programs keep under exact names. */

export { ItemService, type ItemServiceParts } from './item-service.ts';
export type { FoundItem } from './search.ts';
