/** Text search in memory, for processes that live long. */
export { ResidentSearch, type TextSearch } from './resident-search.ts';
export { type Indexed, wordsOf } from './words.ts';
