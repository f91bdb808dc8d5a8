/** Rebuilds the words of all messages: when asked to, and after a change of the analysis of texts. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import { readText } from '../common/message-text.ts';
import type { GroupWriter } from './group-writer.ts';
import { indexMessage, messageIndex } from './message-index.ts';
import { type Asking, sql } from './sql.ts';

/** Messages read per step, to keep memory flat. */
const STEP = 500;
/** Absent in databases of versions that did not rebuild this index when the analysis changed. */
const KEY = 'message_analysis_version';

/** Whether the words were made by another version of the analysis. */
export async function areMessageWordsStale(asking: Asking): Promise<boolean> {
  const row = await asking.row<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${KEY}`);
  return row?.value !== String(ANALYSIS_VERSION);
}

/**
 * Everybody else waits for the transaction, so that nothing is written in between.
 * `isNeeded` is asked behind the lock: whoever waited for it finds what another process did.
 */
export function rebuildMessageWords(
  writer: GroupWriter,
  onIndexed: (count: number) => void = () => {},
  isNeeded: (asking: Asking) => Promise<boolean> = async () => true,
): Promise<void> {
  return writer.run(async (transaction) => {
    if (!(await isNeeded(transaction))) return;
    await transaction.session.command('SET LOCAL statement_timeout = 0');
    await transaction.flush();
    await transaction.run(sql`DELETE FROM message_words`);
    await transaction.run(sql`DELETE FROM message_terms`);
    messageIndex.reset(transaction);
    for (let last = 0; ; ) {
      const rows = await transaction.rows<{ seq: number; agent: string; content: string }>(
        sql`SELECT seq, agent, content FROM messages WHERE seq > ${last} AND deleted_at IS NULL
            ORDER BY seq LIMIT ${STEP}`,
      );
      for (const { seq, agent, content } of rows) {
        await indexMessage(transaction, { seq, agent, text: readText(content) });
      }
      await transaction.flush();
      onIndexed(rows.length);
      if (rows.length < STEP) break;
      last = rows.at(-1)!.seq;
    }
    await transaction.run(
      sql`INSERT INTO meta (key, value) VALUES (${KEY}, ${String(ANALYSIS_VERSION)})
          ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
  });
}
