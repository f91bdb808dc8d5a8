/** Rebuilds the words of all records: after another analysis of texts, and when they are found to be wrong. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { Scope } from '../../kernel/scope.ts';
import { userColumn } from '../common/record-columns.ts';
import { wordsOf } from '../common/record-words.ts';
import type { GroupWriter } from './group-writer.ts';
import { recordIndex } from './record-index.ts';
import { type Asking, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

/** Records read per step, to keep memory flat. */
const STEP = 500;
const KEY = 'analysis_version';

interface Row {
  readonly rid: number;
  readonly agent: string;
  readonly user: string | null;
  readonly scope: Scope;
  readonly category: string;
  readonly content: string;
  readonly tags: readonly string[];
}

/** Whether the words were made by another analysis than ours. */
export async function isIndexStale(asking: Asking): Promise<boolean> {
  const row = await asking.row<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${KEY}`);
  return row?.value !== String(ANALYSIS_VERSION);
}

/**
 * Everybody else waits for the transaction, so that nothing is written in between.
 * `isNeeded` is asked behind the lock: whoever waited for it finds what another process did.
 */
export function rebuildIndex(
  writer: GroupWriter,
  onIndexed: (count: number) => void = () => {},
  isNeeded: (asking: Asking) => Promise<boolean> = async () => true,
): Promise<void> {
  return writer.run(async (transaction) => {
    if (!(await isNeeded(transaction))) return;
    await transaction.session.command('SET LOCAL statement_timeout = 0');
    await transaction.flush();
    await transaction.run(sql`DELETE FROM record_words`);
    await transaction.run(sql`DELETE FROM record_terms`);
    recordIndex.reset(transaction);
    for (let last = 0; ; ) {
      const rows = await transaction.rows<Row>(
        sql`SELECT rid, agent, NULLIF(user_id, '') AS "user", scope, category, content, tags FROM records
            WHERE rid > ${last} AND forgotten_at IS NULL ORDER BY rid LIMIT ${STEP}`,
      );
      for (const row of rows) await insertWords(transaction, row);
      await transaction.flush();
      onIndexed(rows.length);
      if (rows.length < STEP) break;
      last = rows.at(-1)!.rid;
    }
    await transaction.run(
      sql`INSERT INTO meta (key, value) VALUES (${KEY}, ${String(ANALYSIS_VERSION)})
          ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
  });
}

async function insertWords(transaction: WriteTransaction, row: Row): Promise<void> {
  const { words, frequencies, shared, length } = wordsOf(row);
  await transaction.run(
    sql`INSERT INTO record_words (rid, agent, user_id, shared, words, frequencies, length)
        VALUES (${row.rid}, ${row.agent}, ${userColumn(row.user)}, ${shared}, ${words}::text[], ${frequencies}::float8[], ${length})`,
  );
  recordIndex.added(transaction, { words }, length);
}
