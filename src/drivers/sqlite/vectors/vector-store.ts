/** Vectors in SQLite: search, and the queue of records that wait for a vector. */
import type { Database } from 'better-sqlite3';
import type {
  Embedding,
  EmbeddingBacklog,
  Unembedded,
  VectorCandidate,
  VectorDraft,
  VectorQuery,
  VectorStore,
} from '../../../ports/record-store.ts';
import { partitionsFor } from '../../common/partitions.ts';
import { unitVector } from '../../common/vector-math.ts';
import type { Hit } from '../../search-kernels/vectors/hits.ts';
import { BestHits } from '../../search-kernels/vectors/hits.ts';
import { canScan } from '../../search-kernels/vectors/scan-kernel.ts';
import type { GroupWriter } from '../group-writer.ts';
import { PassingRows } from '../passing-rows.ts';
import { reading } from '../reading.ts';
import type { RecordCache } from '../record-cache.ts';
import { recordWhere } from '../record-where.ts';
import { EmbeddingModels } from './embedding-models.ts';
import { Packs, type VectorGroup } from './packs.ts';
import { PlainScanner } from './plain-scanner.ts';
import { ResidentScanner } from './resident-scanner.ts';
import { ResidentVectors } from './resident-vectors.ts';
import type { Scanner, VectorSearch } from './scanner.ts';
import { SqliteVecScanner } from './sqlite-vec-scanner.ts';
import { SqliteStagedVectors } from './staged-vectors.ts';
import { VectorCache } from './vector-cache.ts';
import { type Placed, VectorRows } from './vector-rows.ts';

function makeScanner(
  search: VectorSearch,
  database: Database,
  cache: VectorCache,
  resident: () => ResidentVectors,
): Scanner {
  if (search === 'sqlite-vec') return new SqliteVecScanner(database);
  const plain = new PlainScanner(database);
  return search === 'plain' || !canScan() ? plain : new ResidentScanner(resident(), cache, plain);
}

export class SqliteVectorStore implements VectorStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #records: RecordCache;
  readonly #models: EmbeddingModels;
  readonly #packs: Packs;
  readonly #passing: PassingRows;
  /** What was read of the vectors. */
  readonly cache: VectorCache;
  readonly #scanner: Scanner;
  readonly #snapshot: <T>(read: () => T) => T;
  readonly #statements;
  readonly aside: SqliteStagedVectors;
  /** For the record store, whose transactions these writes belong to. */
  readonly rows: VectorRows;

  constructor(database: Database, writer: GroupWriter, records: RecordCache, search: VectorSearch) {
    this.#database = database;
    this.#writer = writer;
    this.#records = records;
    this.#models = new EmbeddingModels(database);
    this.#packs = new Packs(database);
    this.#passing = new PassingRows(database);
    this.cache = new VectorCache(database);
    const pack = (group: VectorGroup): void => void this.#pack(group);
    this.rows = new VectorRows(database, this.#models, pack, (rid) => this.cache.drop(rid));
    this.#scanner = makeScanner(
      search,
      database,
      this.cache,
      () => new ResidentVectors(database, this.rows, this.#packs, pack),
    );
    this.aside = new SqliteStagedVectors(database, writer, this.#models, () => {
      this.cache.clear();
      this.rows.noticeSwitch();
    });
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
    this.#statements = {
      rid: database.prepare('SELECT rid FROM records WHERE id = ?').pluck(),
      queued: database.prepare('SELECT rid FROM embedding_queue WHERE rid > ? ORDER BY rid LIMIT +?').pluck(),
      anyForeign: database.prepare(`SELECT 1 FROM record_vectors WHERE model IN
        (SELECT key FROM embedding_models WHERE id <> ?) LIMIT 1`),
      foreign: database
        .prepare('SELECT rid FROM record_vectors WHERE rid > ? AND model <> ? ORDER BY rid LIMIT +?')
        .pluck(),
      text: database.prepare('SELECT id, version, content AS text FROM records WHERE rid = ?'),
      place: database.prepare(
        "SELECT rid, agent, nullif(user_id, '') AS user, scope, version FROM records WHERE id = ? AND version = ? AND forgotten_at IS NULL",
      ),
      backlog: database.prepare(`SELECT
        (SELECT count(*) FROM record_vectors WHERE model = @key) AS embedded,
        (SELECT count(*) FROM embedding_queue) AS queued,
        (SELECT count(*) FROM record_vectors WHERE model IN
          (SELECT key FROM embedding_models WHERE key <> @key)) AS "foreign"`),
    };
  }

  async search(query: VectorQuery): Promise<readonly VectorCandidate[]> {
    const { viewer, now, filter, embedding, limit } = query;
    const vector = unitVector(embedding);
    return this.#look(() => {
      const model = this.#models.fitting(embedding.model, vector.length);
      if (model === undefined || limit < 1) return [];
      this.cache.refresh();
      this.#records.refresh();
      const read = this.#records.reader(query);
      const few = this.#passing.few(query);
      const hits =
        few === undefined
          ? this.#scanner.nearest({
              model: model.key,
              query: vector,
              silos: partitionsFor(viewer, filter),
              where: recordWhere(viewer, filter, ['live'], now),
              allows: (rid) => read(rid) !== undefined,
              passing: () => this.#passing.all(query),
              limit,
            })
          : this.#nearestOf(few, model.key, vector, limit);
      return hits.flatMap(({ rid, similarity }) => {
        const record = read(rid);
        return record === undefined ? [] : [{ record, similarity }];
      });
    });
  }

  async similarities(ids: readonly string[], embedding: Embedding): Promise<ReadonlyMap<string, number>> {
    const query = unitVector(embedding);
    return this.#look(() => {
      const found = new Map<string, number>();
      const model = this.#models.fitting(embedding.model, query.length);
      if (model === undefined) return found;
      this.cache.refresh();
      this.#records.refresh();
      for (const id of ids) {
        const rid = this.#records.ridOf(id);
        const similarity = rid === undefined ? undefined : this.cache.withRecord(query, model.key, rid);
        if (similarity !== undefined) found.set(id, similarity);
      }
      return found;
    });
  }

  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]> {
    return this.#look(() => {
      const { rid, queued, text } = this.#statements;
      const last = after === undefined ? 0 : ((rid.get(after) as number | undefined) ?? 0);
      const rids = [...(queued.all(last, limit) as number[]), ...this.#foreign(model, last, limit)];
      return rids
        .sort((a, b) => a - b)
        .slice(0, limit)
        .map((each) => text.get(each) as Unembedded);
    });
  }

  save(model: string, drafts: readonly VectorDraft[]): Promise<number> {
    return this.#writer.run(() => {
      let saved = 0;
      for (const { id, version, vector } of drafts) {
        const record = this.#statements.place.get(id, version) as Placed | undefined;
        if (record === undefined) continue;
        this.rows.replace(record, { model, vector });
        saved++;
      }
      return saved;
    });
  }

  backlog(model: string): Promise<EmbeddingBacklog> {
    return this.#look(() => {
      const key = this.#models.find(model)?.key ?? 0;
      const { embedded, queued, foreign } = this.#statements.backlog.get({ key }) as {
        embedded: number;
        queued: number;
        foreign: number;
      };
      return { embedded, waiting: queued + foreign, foreign };
    });
  }

  #nearestOf(rids: readonly number[], model: number, query: Float32Array, limit: number): Hit[] {
    const best = new BestHits(limit);
    for (const rid of rids) {
      const similarity = this.cache.withRecord(query, model, rid);
      if (similarity !== undefined) best.add({ rid, similarity });
    }
    return best.all();
  }

  /** Reading the vectors in the order of their records costs time, so first it is asked whether there are any. */
  #foreign(model: string, after: number, limit: number): number[] {
    if (this.#statements.anyForeign.get(model) === undefined) return [];
    return this.#statements.foreign.all(after, this.#models.find(model)?.key ?? 0, limit) as number[];
  }

  /** In the background and in small steps. Packs are a convenience: one that cannot be written now is made another time. */
  async #pack(group: VectorGroup): Promise<void> {
    try {
      while (await this.#writer.run(() => this.#packs.make(group)));
    } catch {}
  }

  /** One transaction around many reads: they see the same moment, and share one lock. */
  #look<T>(read: () => T): Promise<T> {
    return reading(this.#database, () => this.#snapshot(read));
  }
}
