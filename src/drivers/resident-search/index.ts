/** Search in memory for drivers whose engine is behind a network: fed with a snapshot and with changes. */
export type { ResidentReads } from './resident-reads.ts';
export type { ResidentRow } from './resident-records.ts';
export { type News, type ResidentOptions, ResidentSearch, type ResidentSource } from './resident-search.ts';
