/** The ways to search text. All give the same answer; they differ in speed and in what they need. */
export type TextSearch = 'auto' | 'resident' | 'fts5';
