/** Text search in memory, for processes that live long. */
export { type FoundRow, ResidentSearch, TEXT_SEARCHES, type TextSearch } from './resident-search.ts';
export { type Indexed, wordsOf } from './words.ts';
