/** Vectors in Postgres: search, and the queue of records that wait for a vector. */
import type {
  Embedding,
  EmbeddingBacklog,
  SearchReads,
  Unembedded,
  VectorCandidate,
  VectorDraft,
  VectorQuery,
  VectorStore,
} from '../../../ports/record-store.ts';
import { partitionsFor } from '../../common/partitions.ts';
import type { StoredModel } from '../../common/stored-model.ts';
import { unitVector } from '../../common/vector-math.ts';
import type { ResidentReads, ResidentSearch } from '../../resident-search/index.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import type { Database } from '../database.ts';
import type { GroupWriter } from '../group-writer.ts';
import { toRecord } from '../record-rows.ts';
import { recordWhere } from '../record-where.ts';
import type { FeedPlace } from '../resident-source.ts';
import { sql } from '../sql.ts';
import { KnownModels } from './embedding-models.ts';
import { nearest } from './nearest.ts';
import { buildIndex } from './neighbour-index.ts';
import { PostgresStagedVectors } from './staged-vectors.ts';
import { readVector } from './vector-format.ts';
import { type Placed, replaceVector } from './vector-rows.ts';

/** So many vectors are compared in some ten milliseconds. */
export const EXACT_UP_TO = 10_000;

export class PostgresVectorStore implements VectorStore {
  readonly aside: PostgresStagedVectors;
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #exactUpTo: number;
  readonly #models: KnownModels;
  /** Models whose index this process has tried to make. */
  readonly #tried = new Map<number, Promise<void>>();

  readonly #resident: ResidentSearch<FeedPlace>;

  constructor(
    database: Database,
    writer: GroupWriter,
    exactUpTo: number,
    resident: ResidentSearch<FeedPlace>,
  ) {
    this.#resident = resident;
    this.#database = database;
    this.#writer = writer;
    this.#exactUpTo = exactUpTo;
    this.#models = new KnownModels(database);
    this.aside = new PostgresStagedVectors(database, writer);
  }

  /** The same in memory. */
  searching(resident: ResidentReads): SearchReads['vectors'] {
    const fits = async ({ model, vector }: Embedding): Promise<boolean> =>
      (await this.#models.fitting(model, vector.length)) !== undefined;
    return {
      search: async (query) => ((await fits(query.embedding)) ? resident.nearest(query) : []),
      similarities: async (ids, embedding) =>
        (await fits(embedding)) ? resident.similarities(ids, embedding) : new Map(),
    };
  }

  async search(query: VectorQuery): Promise<readonly VectorCandidate[]> {
    const { viewer, now, filter, embedding, limit } = query;
    const vector = unitVector(embedding);
    const model = await this.#models.fitting(embedding.model, vector.length);
    if (model === undefined || limit < 1) return [];
    const resident = await this.#resident.current();
    if (resident !== undefined) return resident.nearest(query);
    const where = recordWhere(viewer, filter, ['live'], now);
    const scope = { model, query: vector, partitions: partitionsFor(viewer, filter), where, limit };
    const { hits, wantsIndex } = await nearest(this.#database, scope, this.#exactUpTo);
    if (wantsIndex) this.#buildIndex(model);
    return hits.map(({ row, similarity }) => ({ record: toRecord(row, now), similarity }));
  }

  async similarities(ids: readonly string[], embedding: Embedding): Promise<ReadonlyMap<string, number>> {
    const query = unitVector(embedding);
    const model = await this.#models.fitting(embedding.model, query.length);
    if (model === undefined || ids.length === 0) return new Map();
    const resident = await this.#resident.current();
    if (resident !== undefined) return resident.similarities(ids, embedding);
    const rows = await this.#database.rows<{ id: string; sent: Buffer }>(
      sql`SELECT r.id, vector_send(v.vector) AS sent FROM records r JOIN record_vectors v ON v.rid = r.rid
          WHERE r.id = ANY(${ids}::text[]) AND v.model = ${model.key}`,
    );
    const found = new Map(rows.map(({ id, sent }) => [id, cosine(query, readVector(sent))]));
    // In the order in which they were asked for.
    return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id)!] as const] : [])));
  }

  /** Every search asks this first: where no other model has a vector, no vector is looked at. */
  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]> {
    return this.#database.rows<Unembedded>(
      sql`WITH start AS (SELECT COALESCE((SELECT rid FROM records WHERE id = ${after ?? ''}), 0) AS rid),
          others AS (
            SELECT key FROM embedding_models m WHERE id <> ${model}
            AND (SELECT v.silo FROM record_vectors v WHERE v.model = m.key ORDER BY v.silo LIMIT 1) IS NOT NULL
          ),
          waiting AS (
            (SELECT q.rid FROM embedding_queue q, start WHERE q.rid > start.rid ORDER BY q.rid LIMIT ${limit})
            UNION ALL
            (SELECT v.rid FROM record_vectors v, start WHERE v.rid > start.rid AND EXISTS (SELECT 1 FROM others)
             AND v.model IN (SELECT key FROM others) ORDER BY v.rid LIMIT ${limit})
          )
          SELECT r.id, r.version, r.content AS text FROM waiting w JOIN records r ON r.rid = w.rid
          ORDER BY r.rid LIMIT ${limit}`,
    );
  }

  save(model: string, drafts: readonly VectorDraft[]): Promise<number> {
    return this.#writer.run(async (transaction) => {
      let saved = 0;
      for (const { id, version, vector } of drafts) {
        const record = await transaction.row<Placed>(
          sql`SELECT rid, agent, NULLIF(user_id, '') AS "user", scope, version FROM records
              WHERE id = ${id} AND version = ${version} AND forgotten_at IS NULL`,
        );
        if (record === undefined) continue;
        await replaceVector(transaction, record, { model, vector });
        saved++;
      }
      return saved;
    });
  }

  async backlog(model: string): Promise<EmbeddingBacklog> {
    const row = await this.#database.row<{ embedded: number; queued: number; foreign: number }>(
      sql`SELECT count(*) FILTER (WHERE m.id = ${model}) AS embedded, count(*) FILTER (WHERE m.id <> ${model}) AS foreign,
            (SELECT count(*) FROM embedding_queue) AS queued
          FROM record_vectors v JOIN embedding_models m ON m.key = v.model`,
    );
    const { embedded, queued, foreign } = row!;
    return { embedded, waiting: queued + foreign, foreign };
  }

  /** When those that are being made are done, or have failed. */
  async indexesMade(): Promise<void> {
    await Promise.all(this.#tried.values());
  }

  /** An index is a convenience: one that cannot be made now is made by the next process that needs it. */
  #buildIndex(model: StoredModel): void {
    if (!this.#tried.has(model.key))
      this.#tried.set(
        model.key,
        buildIndex(this.#database, model).catch(() => {}),
      );
  }
}
