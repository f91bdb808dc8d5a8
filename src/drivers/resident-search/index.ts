/** Search in memory, whichever engine stores the records: a driver feeds it, and it answers as that engine would. */
export { type Afterwards, Readiness } from './readiness.ts';
export type { ResidentReads } from './resident-reads.ts';
export type { ResidentRow } from './resident-records.ts';
export { type News, type ResidentOptions, ResidentSearch, type ResidentSource } from './resident-search.ts';
export { ResidentWords } from './resident-words.ts';
