/** Feeds an external vector index with changes that triggers record. */
import type { Embedding, VectorCandidate, VectorQuery } from '../../../ports/record-store.ts';
import type {
  ExpectedState,
  FeedModel,
  FeedPosition,
  VectorChange,
  VectorFeed,
} from '../../../ports/vector-feed.ts';
import { unitVector } from '../../common/vector-math.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import type { Database } from '../database.ts';
import type { GroupWriter } from '../group-writer.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from '../record-rows.ts';
import { recordWhere } from '../record-where.ts';
import { sql } from '../sql.ts';
import { KnownModels } from './embedding-models.ts';
import { attachIn, type PositionRow, positionColumns, toPosition, WAITS } from './feed-position.ts';
import { readVector } from './vector-format.ts';
import { PostgresWordFeed } from './word-feed.ts';

type ChangeRow = RecordRow & {
  readonly number: number;
  readonly first: number;
  readonly model: string | null;
  readonly sent: Buffer | null;
};

export class PostgresVectorFeed implements VectorFeed {
  readonly words: PostgresWordFeed;
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #models: KnownModels;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#models = new KnownModels(database);
    this.words = new PostgresWordFeed(database, writer);
  }

  attach(): Promise<{ readonly identity: string }> {
    return this.#writer.run(attachIn);
  }

  async position(limit: number, embedding?: Embedding): Promise<FeedPosition | undefined> {
    if (embedding !== undefined) await this.#models.fitting(embedding.model, embedding.vector.length);
    const row = await this.#database.row<PositionRow>(
      sql`SELECT ${positionColumns(limit)} FROM vector_feed f`,
      { keepsPlans: true },
    );
    return row === undefined ? undefined : toPosition(row);
  }

  async waiting(limit: number): Promise<readonly VectorChange[]> {
    const rows = await this.#database.rows<ChangeRow>(
      sql`SELECT c.change AS number, c.first, m.id AS model, vector_send(v.vector) AS sent, ${RECORD_COLUMNS}
          FROM vector_changes c JOIN records r ON r.rid = c.rid
          LEFT JOIN record_vectors v ON v.rid = c.rid LEFT JOIN embedding_models m ON m.key = v.model
          WHERE ${WAITS} ORDER BY c.change LIMIT ${limit}`,
    );
    return rows.map(toChange);
  }

  async backlog(): Promise<number> {
    const row = await this.#database.row<{ count: number }>(
      sql`SELECT count(*) AS count FROM vector_changes c WHERE ${WAITS}`,
    );
    return row!.count;
  }

  async confirm(identity: string, changes: readonly number[]): Promise<void> {
    await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE vector_changes SET carried = change WHERE change = ANY(${changes}::bigint[])
            AND EXISTS (SELECT 1 FROM vector_feed WHERE identity = ${identity})`,
      ),
    );
  }

  models(): Promise<readonly FeedModel[]> {
    return this.#database.rows<FeedModel>(
      sql`SELECT m.id, m.dimensions, (SELECT count(*) FROM record_vectors v WHERE v.model = m.key) AS vectors
          FROM embedding_models m ORDER BY m.key`,
    );
  }

  expected(model: string, after: number, limit: number): Promise<readonly ExpectedState[]> {
    return this.#database.rows<ExpectedState>(
      sql`SELECT c.change, r.id, r.version, c.carried = c.change AS "isCarried"
          FROM vector_changes c JOIN records r ON r.rid = c.rid
          JOIN record_vectors v ON v.rid = c.rid JOIN embedding_models m ON m.key = v.model
          WHERE m.id = ${model} AND c.change > ${after} ORDER BY c.change LIMIT ${limit}`,
    );
  }

  async recarry(model: string, changes?: readonly number[]): Promise<void> {
    await this.#writer.run((transaction) =>
      transaction.run(
        changes === undefined
          ? sql`UPDATE vector_changes SET carried = 0 WHERE rid IN (SELECT v.rid FROM record_vectors v
                JOIN embedding_models m ON m.key = v.model WHERE m.id = ${model})`
          : sql`UPDATE vector_changes SET carried = 0 WHERE change = ANY(${changes}::bigint[])`,
      ),
    );
  }

  async nearestAmong(
    { viewer, now, filter, embedding, limit }: VectorQuery,
    ids: readonly string[],
    since: number,
  ): Promise<readonly VectorCandidate[]> {
    const query = unitVector(embedding);
    const model = await this.#models.fitting(embedding.model, query.length);
    if (model === undefined || limit < 1) return [];
    const rows = await this.#database.rows<RecordRow & { readonly sent: Buffer }>(
      sql`SELECT ${RECORD_COLUMNS}, vector_send(v.vector) AS sent FROM (
            SELECT rid FROM records WHERE id = ANY(${ids}::text[])
            UNION SELECT rid FROM vector_changes WHERE change > ${since}
          ) asked JOIN records r ON r.rid = asked.rid JOIN record_vectors v ON v.rid = asked.rid
          WHERE v.model = ${model.key} AND ${recordWhere(viewer, filter, ['live'], now)}`,
    );
    return rows
      .map(({ sent, ...row }) => ({ row, similarity: cosine(query, readVector(sent)) }))
      .sort((a, b) => b.similarity - a.similarity || b.row.rid - a.row.rid)
      .slice(0, limit)
      .map(({ row, similarity }) => ({ record: toRecord(row, now), similarity }));
  }
}

function toChange({ number, first, model, sent, ...row }: ChangeRow): VectorChange {
  return {
    change: number,
    id: row.id,
    isFirst: number === first,
    vector:
      sent === null
        ? undefined
        : { model: model!, vector: readVector(sent), record: toRecord(row, row.updated_at) },
  };
}
