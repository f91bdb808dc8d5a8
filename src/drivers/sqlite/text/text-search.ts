/** Chooses the faster way to search words: the index in memory or FTS5. */
export type TextSearch = 'auto' | 'resident' | 'fts5';
