/** Rebuilds every index of a database from its rows. */
import type { Database } from 'better-sqlite3';
import type { ReindexOptions, ReindexReport } from '../../../ports/maintenance.ts';
import type { GroupWriter } from '../group-writer.ts';
import { rebuildMessageWords } from '../message-words.ts';
import type { TextIndex } from '../text-index.ts';
import { Packs, type VectorGroup } from '../vectors/packs.ts';

export interface ReindexParts {
  readonly database: Database;
  readonly writer: GroupWriter;
  readonly index: TextIndex;
}

/** In one transaction: nobody ever sees half an index, and after a crash the old ones are there. */
export function reindexSqlite(
  { database, writer, index }: ReindexParts,
  { onProgress }: ReindexOptions,
): Promise<ReindexReport> {
  return writer.run(() => {
    const report = countAll(database);
    const total = report.records + report.messages + report.vectors;
    let done = 0;
    const told = (count: number): void => {
      done += count;
      onProgress?.({ done: Math.min(done, total), total });
    };
    index.rebuild(told);
    rebuildMessageWords(database, () => told(1));
    packAnew(database, told);
    database.exec('REINDEX');
    return report;
  });
}

function countAll(database: Database): ReindexReport {
  return database
    .prepare(
      `SELECT (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS records,
        (SELECT count(*) FROM messages WHERE deleted_at IS NULL) AS messages,
        (SELECT count(*) FROM record_vectors) AS vectors`,
    )
    .get() as ReindexReport;
}

function packAnew(database: Database, told: (count: number) => void): void {
  database.exec('DELETE FROM vector_gaps; DELETE FROM vector_packs');
  const packs = new Packs(database);
  const partitions = database
    .prepare(
      `SELECT v.model, v.silo, m.dimensions, count(*) AS count FROM record_vectors v
       JOIN embedding_models m ON m.key = v.model GROUP BY v.model, v.silo`,
    )
    .all() as (VectorGroup & { count: number })[];
  for (const { count, ...group } of partitions) {
    while (packs.make(group));
    told(count);
  }
}
