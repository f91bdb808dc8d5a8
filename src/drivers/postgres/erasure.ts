/** What erasing can promise on a server. */

/** Postgres keeps old pages and its journal until it cleans up by itself, which no statement can hasten for sure. */
export const LEFT_TO_THE_SERVER = { journalErased: false, pagesErased: false } as const;
