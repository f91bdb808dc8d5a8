/** The text index of messages: filled again from the log after a repair, and after a change of the analysis of texts. */
import type { Database } from 'better-sqlite3';
import { ANALYSIS_VERSION, analyze } from '../../kernel/analysis.ts';
import { readText } from '../common/message-text.ts';
import { messageOwners } from './message-search.ts';

/** Absent in databases of versions that did not rebuild this index when the analysis changed. */
const KEY = 'message_analysis_version';

/** Whether the index was made by another version of the analysis. */
export function areMessageWordsStale(database: Database): boolean {
  const stored = database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(KEY);
  return stored !== String(ANALYSIS_VERSION);
}

/** The caller holds the transaction. */
export function addMessageWords(
  database: Database,
  seqs: Iterable<number>,
  onIndexed: () => void = () => {},
): void {
  const read = database.prepare('SELECT agent, thread, content FROM messages WHERE seq = ?');
  const insert = database.prepare('INSERT INTO messages_text (rowid, body, silo) VALUES (?, ?, ?)');
  for (const seq of seqs) {
    const { agent, thread, content } = read.get(seq) as { agent: string; thread: string; content: string };
    insert.run(seq, analyze(readText(content)).join(' '), messageOwners(agent, thread));
    onIndexed();
  }
}

/** The caller holds the transaction. */
export function rebuildMessageWords(database: Database, onIndexed?: () => void): void {
  database.exec("INSERT INTO messages_text (messages_text) VALUES ('delete-all')");
  const seqs = database
    .prepare('SELECT seq FROM messages WHERE deleted_at IS NULL ORDER BY seq')
    .pluck()
    .all();
  addMessageWords(database, seqs as number[], onIndexed);
  database
    .prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
    .run(KEY, String(ANALYSIS_VERSION));
}
