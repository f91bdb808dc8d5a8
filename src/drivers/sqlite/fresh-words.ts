/** Both text indexes after a change of the analysis of texts: their words are made again from the rows. */
import type { Database } from 'better-sqlite3';
import { areMessageWordsStale, rebuildMessageWords } from './message-words.ts';
import { TextIndex } from './text-index.ts';

export const areWordsStale = (database: Database): boolean =>
  new TextIndex(database).stale || areMessageWordsStale(database);

/** The caller holds the transaction. */
export function refreshWords(database: Database, index: TextIndex = new TextIndex(database)): void {
  if (index.stale) index.rebuild();
  if (areMessageWordsStale(database)) rebuildMessageWords(database);
}
