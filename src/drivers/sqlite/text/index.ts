/** Text search in memory, for processes that live long. */
export { ResidentSearch } from './resident-search.ts';
export type { TextSearch } from './text-search.ts';
export { totalsReader } from './totals.ts';
export { type Indexed, wordsOf } from './words.ts';
