/** Indexing messages again after a repair, from what is stored of them. */
import type { Database } from 'better-sqlite3';
import { analyze } from '../../../kernel/analysis.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import { siloToken } from '../match-expression.ts';

/** All texts inside, whatever the shape of the message: close enough to what a person reads in it. */
function textsIn(content: JsonValue): string[] {
  if (typeof content === 'string') return [content];
  if (typeof content !== 'object' || content === null) return [];
  return Object.values(content).flatMap(textsIn);
}

type TextOf = (content: JsonValue) => string;

const allTexts: TextOf = (content) => textsIn(content).join('\n');

function readText(content: string, textOf: TextOf): string {
  try {
    return textOf(JSON.parse(content) as JsonValue);
  } catch {
    return content;
  }
}

/** The caller holds the transaction. */
export function addToMessageIndex(
  database: Database,
  seqs: Iterable<number>,
  textOf: TextOf = allTexts,
  onIndexed: () => void = () => {},
): void {
  const read = database.prepare('SELECT agent, content FROM messages WHERE seq = ?');
  const insert = database.prepare('INSERT INTO messages_text (rowid, body, silo) VALUES (?, ?, ?)');
  for (const seq of seqs) {
    const { agent, content } = read.get(seq) as { agent: string; content: string };
    insert.run(seq, analyze(readText(content, textOf)).join(' '), siloToken(agent));
    onIndexed();
  }
}

export function rebuildMessageIndex(database: Database, textOf?: TextOf, onIndexed?: () => void): void {
  database.exec("INSERT INTO messages_text (messages_text) VALUES ('delete-all')");
  const seqs = database
    .prepare('SELECT seq FROM messages WHERE deleted_at IS NULL ORDER BY seq')
    .pluck()
    .all();
  addToMessageIndex(database, seqs as number[], textOf, onIndexed);
}
