/** The filters that search, recall and list share. */
import type { SearchOptions } from './sdk/index.ts';

export type MemoryFilter = Omit<SearchOptions, 'limit' | 'minRelevance' | 'asOf'>;
