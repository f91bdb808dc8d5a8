/** The words of messages: what is put into their index, and how they are taken out again. */
import { weigh } from '../common/term-weights.ts';
import { sql } from './sql.ts';
import { TextIndex } from './text-index.ts';
import type { WriteTransaction } from './write-transaction.ts';

export const messageIndex = new TextIndex({
  words: 'message_words',
  terms: 'message_terms',
  key: 'seq',
  rowCount: 'indexedMessages',
  wordCount: 'messageWords',
  countsGone: true,
  newestFirst: false,
  texts: 'messages',
  alias: 'm',
});

interface Indexed {
  readonly seq: number;
  readonly agent: string;
  readonly text: string;
}

export async function indexMessage(
  transaction: WriteTransaction,
  { seq, agent, text }: Indexed,
): Promise<void> {
  const { words, frequencies, length: count } = weigh(text);
  // Belonging to somebody counts as a word, as it does for records.
  const length = count + 1;
  await transaction.run(
    sql`INSERT INTO message_words (seq, agent, words, frequencies, length)
        VALUES (${seq}, ${agent}, ${words}::text[], ${frequencies}::float8[], ${length})`,
  );
  messageIndex.added(transaction, { words }, length);
}

export async function unindexMessages(transaction: WriteTransaction, ids: readonly string[]): Promise<void> {
  const gone = await transaction.rows<{ words: readonly string[]; length: number }>(
    sql`DELETE FROM message_words w USING messages m WHERE m.id = ANY(${ids}::text[]) AND w.seq = m.seq
        RETURNING w.words, w.length`,
  );
  for (const old of gone) messageIndex.removed(transaction, old, old.length);
}
