/** Staged vectors in Postgres: a separate table until one transaction replaces the current vectors. */
import type { Unembedded, VectorDraft } from '../../../ports/record-store.ts';
import type { StagedProgress, StagedVectors, SwitchOutcome } from '../../../ports/staged-vectors.ts';
import { PARTITION_OF_ROW } from '../../common/partitions.ts';
import type { Database } from '../database.ts';
import type { GroupWriter } from '../group-writer.ts';
import { type Asking, raw, sql } from '../sql.ts';
import { findModel } from './embedding-models.ts';
import { storable } from './vector-rows.ts';

/** Of the present text. */
const MADE = raw('a.rid = r.rid AND a.version = r.version');

export class PostgresStagedVectors implements StagedVectors {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  async present(): Promise<string | null> {
    const rows = await this.#database.rows<{ id: string }>(
      sql`SELECT id FROM embedding_models m WHERE EXISTS (SELECT 1 FROM record_vectors v WHERE v.model = m.key)`,
    );
    if (rows.length < 2) return rows[0]?.id ?? null;
    // Counting them reads them all, so only where there is something to decide.
    const most = await this.#database.row<{ id: string }>(
      sql`SELECT m.id FROM record_vectors v JOIN embedding_models m ON m.key = v.model
          GROUP BY m.key, m.id ORDER BY count(*) DESC, m.key DESC LIMIT 1`,
    );
    return most?.id ?? null;
  }

  begin(model: string): Promise<StagedProgress> {
    return this.#writer.run(async (transaction) => {
      const key = await keyOf(transaction, model);
      await transaction.run(sql`DELETE FROM vectors_aside WHERE model <> ${key}`);
      return progressOf(transaction, key);
    });
  }

  async waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]> {
    const key = await keyOf(this.#database, model);
    return this.#database.rows<Unembedded>(
      sql`SELECT r.id, r.version, r.content AS text FROM records r
          WHERE r.rid > COALESCE((SELECT rid FROM records WHERE id = ${after ?? null}), 0) AND r.forgotten_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM vectors_aside a WHERE ${MADE} AND a.model = ${key})
          ORDER BY r.rid LIMIT ${limit}`,
    );
  }

  save(model: string, drafts: readonly VectorDraft[]): Promise<number> {
    return this.#writer.run(async (transaction) => {
      let saved = 0;
      for (const { id, version, vector } of drafts) {
        const { model: key, text } = await storable(transaction, { model, vector });
        saved += await transaction.run(
          sql`INSERT INTO vectors_aside (rid, model, version, vector)
              SELECT rid, ${key}, version, ${text}::vector FROM records
              WHERE id = ${id} AND version = ${version} AND forgotten_at IS NULL
              ON CONFLICT (rid) DO UPDATE
              SET model = excluded.model, version = excluded.version, vector = excluded.vector`,
        );
      }
      return saved;
    });
  }

  switchTo(model: string, mostMissing: number): Promise<SwitchOutcome> {
    return this.#writer.run(async (transaction) => {
      const key = await keyOf(transaction, model);
      const { done, total } = await progressOf(transaction, key);
      const missing = total - done;
      if (missing > mostMissing) return { switched: false, missing };
      await transaction.session.command('SET LOCAL statement_timeout = 0');
      await transaction.run(sql`DELETE FROM record_vectors`);
      await transaction.run(
        sql`INSERT INTO record_vectors (rid, model, version, silo, vector)
            SELECT a.rid, a.model, a.version, ${raw(PARTITION_OF_ROW)}, a.vector
            FROM vectors_aside a JOIN records r ON ${MADE} WHERE r.forgotten_at IS NULL AND a.model = ${key}`,
      );
      await transaction.run(sql`DELETE FROM embedding_queue`);
      await transaction.run(
        sql`INSERT INTO embedding_queue SELECT rid FROM records r WHERE forgotten_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM record_vectors v WHERE v.rid = r.rid)`,
      );
      await transaction.run(sql`DELETE FROM vectors_aside`);
      return { switched: true, missing };
    });
  }

  async drop(): Promise<void> {
    await this.#writer.run((transaction) => transaction.run(sql`DELETE FROM vectors_aside`));
  }
}

/** No model has the key 0. */
async function keyOf(session: Asking, model: string): Promise<number> {
  return (await findModel(session, model))?.key ?? 0;
}

async function progressOf(session: Asking, key: number): Promise<StagedProgress> {
  const row = await session.row<StagedProgress>(
    sql`SELECT
          (SELECT count(*) FROM records r JOIN vectors_aside a ON ${MADE}
           WHERE r.forgotten_at IS NULL AND a.model = ${key}) AS done,
          (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS total`,
  );
  return row!;
}
