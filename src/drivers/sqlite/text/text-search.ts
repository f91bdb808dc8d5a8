/** How words are searched: by an index in memory, by FTS5, or by whichever is faster at the moment. */
export type TextSearch = 'auto' | 'resident' | 'fts5';
