/** The limits of erasing on a database server. */

/** Postgres keeps old pages and its journal until it cleans up by itself, which no statement can hasten for sure. */
export const LEFT_TO_THE_SERVER = { journalErased: false, pagesErased: false } as const;

/**
 * The truth about a forgotten text, for the answers of `forget` and `erase`. Overwriting a row first would not help: Postgres
 * writes a new row and leaves the old one in its page, also after a plain VACUUM.
 */
export const KEPT_BY_THE_SERVER = [
  'pages, indexes and the write-ahead log of Postgres, until "keepsake vacuum" rewrites the tables and the server recycles its log',
] as const;
