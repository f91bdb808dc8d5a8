/** Rebuilds every index from its rows: words of records and messages, and the indexes of Postgres with those of pgvector. */
import type { ReindexOptions, ReindexReport } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { rebuildMessageWords } from './rebuild-messages.ts';
import { Session } from './session.ts';
import { sql } from './sql.ts';

const TABLES = ['records', 'record_words', 'record_vectors', 'messages', 'message_words'];

/** The words in one transaction for each kind; then Postgres's own, without keeping anybody from reading or writing. */
export async function reindexPostgres(
  database: Database,
  writer: GroupWriter,
  { onProgress }: ReindexOptions,
): Promise<ReindexReport> {
  const report = await countAll(database);
  const total = report.records + report.messages + report.vectors;
  let done = 0;
  const told = (count: number): void => {
    done += count;
    onProgress?.({ done: Math.min(done, total), total });
  };
  await rebuildIndex(writer, told);
  await rebuildMessageWords(writer, told);
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

async function rebuildTables(database: Database): Promise<void> {
  const client = await database.dedicated({ statement_timeout: 0, lock_timeout: 0 });
  try {
    const session = new Session(client, database.watch);
    for (const table of TABLES) await session.command(`REINDEX TABLE CONCURRENTLY ${table}`);
  } finally {
    await client.end();
  }
}
