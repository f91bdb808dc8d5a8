/** Items: data of other frameworks and programs under exact names. */

export { ItemService, type ItemServiceParts } from './item-service.ts';
export type { FoundItem } from './search.ts';
