/** Rebuilds every index from its rows: words of records and messages, and the indexes of Postgres with those of pgvector. */
import type { JsonValue } from '../../kernel/json.ts';
import type { ReindexOptions, ReindexReport } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { indexMessage, messageIndex } from './message-index.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { Session } from './session.ts';
import { sql } from './sql.ts';

const STEP = 500;
const TABLES = ['records', 'record_words', 'record_vectors', 'messages', 'message_words'];

/** The words in one transaction for each kind; then Postgres's own, without keeping anybody from reading or writing. */
export async function reindexPostgres(
  database: Database,
  writer: GroupWriter,
  { textOf, onProgress }: ReindexOptions,
): Promise<ReindexReport> {
  const report = await countAll(database);
  const total = report.records + report.messages + report.vectors;
  let done = 0;
  const told = (count: number): void => {
    done += count;
    onProgress?.({ done: Math.min(done, total), total });
  };
  await rebuildIndex(writer, told);
  await rebuildMessageWords(writer, textOf, told);
  await rebuildTables(database);
  told(report.vectors);
  return report;
}

async function countAll(database: Database): Promise<ReindexReport> {
  const row = await database.row<ReindexReport>(
    sql`SELECT (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS records,
          (SELECT count(*) FROM messages WHERE deleted_at IS NULL) AS messages,
          (SELECT count(*) FROM record_vectors) AS vectors`,
  );
  return row!;
}

function rebuildMessageWords(
  writer: GroupWriter,
  textOf: ReindexOptions['textOf'],
  onIndexed: (count: number) => void,
): Promise<void> {
  return writer.run(async (transaction) => {
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
        await indexMessage(transaction, { seq, agent, text: textOf(JSON.parse(content) as JsonValue) });
      }
      await transaction.flush();
      onIndexed(rows.length);
      if (rows.length < STEP) return;
      last = rows.at(-1)!.seq;
    }
  });
}

async function rebuildTables(database: Database): Promise<void> {
  const client = await database.dedicated({ statement_timeout: 0, lock_timeout: 0 });
  try {
    const session = new Session(client, database.watch);
    for (const table of TABLES) await session.command(`REINDEX TABLE CONCURRENTLY ${table}`);
  } finally {
    await client.end();
  }
}
