/** What an index of vectors outside of the database is told, and how far it has come; triggers note the changes. */
import { randomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Embedding, VectorCandidate, VectorQuery } from '../../../ports/record-store.ts';
import type {
  ExpectedState,
  FeedModel,
  FeedPosition,
  VectorChange,
  VectorFeed,
  WaitingChange,
} from '../../../ports/vector-feed.ts';
import { fromBlob, unitVector } from '../../common/vector-math.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import { BestHits, type Hit } from '../../search-kernels/vectors/hits.ts';
import type { GroupWriter } from '../group-writer.ts';
import { reading } from '../reading.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from '../record-rows.ts';
import { recordWhere } from '../record-where.ts';
import { StatementCache } from '../statement-cache.ts';
import { EmbeddingModels } from './embedding-models.ts';

const IDENTITY_BYTES = 8;

type ChangeRow = RecordRow & {
  readonly number: number;
  readonly first: number;
  readonly model: string | null;
  readonly dimensions: number;
  readonly vector: Buffer | null;
};

type FoundRow = RecordRow & { readonly vector: Buffer };

export class SqliteVectorFeed implements VectorFeed {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #models: EmbeddingModels;
  readonly #cache: StatementCache;
  readonly #snapshot: <T>(read: () => T) => T;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#models = new EmbeddingModels(database);
    this.#cache = new StatementCache(database);
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
    this.#statements = prepareStatements(database);
  }

  attach(): Promise<{ readonly identity: string }> {
    const { feed, begin, noteAll, count } = this.#statements;
    return this.#writer.run(() => {
      const present = feed.get() as { identity: string } | undefined;
      if (present !== undefined) return { identity: present.identity };
      const identity = randomBytes(IDENTITY_BYTES).toString('hex');
      begin.run(identity);
      noteAll.run();
      count.run();
      return { identity };
    });
  }

  position(limit: number, embedding?: Embedding): Promise<FeedPosition | undefined> {
    return this.#look(() => {
      if (embedding !== undefined) this.#models.fitting(embedding.model, embedding.vector.length);
      const row = this.#statements.feed.get() as { identity: string; changes: number } | undefined;
      if (row === undefined) return undefined;
      const waiting = this.#statements.waitingIds.all(limit) as WaitingChange[];
      return { identity: row.identity, last: row.changes, waiting };
    });
  }

  waiting(limit: number): Promise<readonly VectorChange[]> {
    return this.#look(() => (this.#statements.waiting.all(limit) as ChangeRow[]).map(toChange));
  }

  backlog(): Promise<number> {
    return this.#look(() => this.#statements.backlog.get() as number);
  }

  async confirm(identity: string, changes: readonly number[]): Promise<void> {
    await this.#writer.run(() => {
      const present = this.#statements.feed.get() as { identity: string } | undefined;
      if (present?.identity !== identity) return;
      for (const change of changes) this.#statements.confirm.run(change);
    });
  }

  models(): Promise<readonly FeedModel[]> {
    return this.#look(() => this.#statements.models.all() as FeedModel[]);
  }

  expected(model: string, after: number, limit: number): Promise<readonly ExpectedState[]> {
    return this.#look(() => {
      const rows = this.#statements.expected.all(model, after, limit) as (Omit<ExpectedState, 'isCarried'> & {
        carried: number;
      })[];
      return rows.map(({ carried, ...state }) => ({ ...state, isCarried: carried === state.change }));
    });
  }

  async recarry(model: string, changes?: readonly number[]): Promise<void> {
    await this.#writer.run(() => {
      if (changes === undefined) this.#statements.recarryAll.run(model);
      else for (const change of changes) this.#statements.recarry.run(change);
    });
  }

  nearestAmong(
    { viewer, now, filter, embedding, limit }: VectorQuery,
    ids: readonly string[],
    since: number,
  ): Promise<readonly VectorCandidate[]> {
    const query = unitVector(embedding);
    return this.#look(() => {
      const model = this.#models.fitting(embedding.model, query.length);
      if (model === undefined || limit < 1) return [];
      const where = recordWhere(viewer, filter, ['live'], now);
      const rows = this.#cache
        .get(
          // From the few that are asked for to their vectors: SQLite would begin with all vectors of the model, and read the
          // changes of all times in the order of records.
          `SELECT ${RECORD_COLUMNS}, v.vector FROM (
             SELECT rid FROM records WHERE id IN (SELECT value FROM json_each(?))
             UNION SELECT +rid FROM vector_changes WHERE change > ?
           ) asked CROSS JOIN records r ON r.rid = asked.rid CROSS JOIN record_vectors v ON v.rid = asked.rid
           WHERE +v.model = ? AND ${where.sql}`,
        )
        .all(JSON.stringify(ids), since, model.key, ...where.values) as FoundRow[];
      const best = new BestHits<Hit & { readonly row: RecordRow }>(limit);
      for (const { vector: blob, ...row } of rows) {
        const vector = fromBlob(blob, query.length);
        if (vector !== undefined) best.add({ rid: row.rid, similarity: cosine(query, vector), row });
      }
      return best.all().map(({ row, similarity }) => ({ record: toRecord(row, now), similarity }));
    });
  }

  /** One transaction around many reads: they see the same moment. */
  #look<T>(read: () => T): Promise<T> {
    return reading(this.#database, () => this.#snapshot(read));
  }
}

function toChange({ number, first, model, dimensions, vector: blob, ...row }: ChangeRow): VectorChange {
  const vector = blob === null ? undefined : fromBlob(blob, dimensions);
  return {
    change: number,
    id: row.id,
    isFirst: number === first,
    vector: vector && { model: model!, vector, record: toRecord(row, row.updated_at) },
  };
}

function prepareStatements(database: Database) {
  return {
    feed: database.prepare('SELECT identity, changes FROM vector_feed'),
    begin: database.prepare('INSERT INTO vector_feed (identity, changes) VALUES (?, 0)'),
    noteAll: database.prepare(
      `INSERT INTO vector_changes (rid, first, change)
       SELECT rid, row_number() OVER (ORDER BY seq), row_number() OVER (ORDER BY seq) FROM record_vectors`,
    ),
    count: database.prepare('UPDATE vector_feed SET changes = (SELECT count(*) FROM vector_changes)'),
    waitingIds: database.prepare(
      `SELECT r.id, c.carried FROM vector_changes c JOIN records r ON r.rid = c.rid
       WHERE c.carried <> c.change ORDER BY c.change LIMIT +?`,
    ),
    waiting: database.prepare(
      `SELECT c.change AS number, c.first, m.id AS model, m.dimensions, v.vector, ${RECORD_COLUMNS}
       FROM vector_changes c JOIN records r ON r.rid = c.rid
       LEFT JOIN record_vectors v ON v.rid = c.rid LEFT JOIN embedding_models m ON m.key = v.model
       WHERE c.carried <> c.change ORDER BY c.change LIMIT +?`,
    ),
    backlog: database.prepare('SELECT count(*) FROM vector_changes WHERE carried <> change').pluck(),
    confirm: database.prepare('UPDATE vector_changes SET carried = change WHERE change = ?'),
    models: database.prepare(
      `SELECT m.id, m.dimensions, (SELECT count(*) FROM record_vectors v WHERE v.model = m.key) AS vectors
       FROM embedding_models m ORDER BY m.key`,
    ),
    expected: database.prepare(
      `SELECT c.change, r.id, r.version, c.carried FROM vector_changes c JOIN records r ON r.rid = c.rid
       JOIN record_vectors v ON v.rid = c.rid JOIN embedding_models m ON m.key = v.model
       WHERE m.id = ? AND c.change > ? ORDER BY c.change LIMIT +?`,
    ),
    recarryAll: database.prepare(
      `UPDATE vector_changes SET carried = 0 WHERE rid IN (SELECT v.rid FROM record_vectors v
       JOIN embedding_models m ON m.key = v.model WHERE m.id = ?)`,
    ),
    recarry: database.prepare('UPDATE vector_changes SET carried = 0 WHERE change = ?'),
  };
}
