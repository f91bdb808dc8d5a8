/** Which memories are meant: what searching, recalling and listing have in common. */
import type { SearchOptions } from './sdk/index.ts';

export type MemoryFilter = Omit<SearchOptions, 'limit' | 'minRelevance' | 'asOf'>;
