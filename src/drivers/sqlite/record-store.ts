/** Records in SQLite: each verb is one job of the group writer, so it is atomic and durable when it resolves. */
import type { Database } from 'better-sqlite3';
import type { MemoryRecord, RecordVersion } from '../../kernel/record.ts';
import { maySee, type Viewer } from '../../kernel/scope.ts';
import type {
  AddOptions,
  AddResult,
  AgentSummary,
  AsOfQuery,
  Erasure,
  ListQuery,
  NeighbourQuery,
  Neighbours,
  RecordDraft,
  RecordPatch,
  RecordStore,
  ScopePart,
  TermStatistics,
  TermTable,
  TextCandidate,
  TextQuery,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { historyFor, recordAt } from '../../records/rules/stored-records.ts';
import { recordDigest } from '../common/digest.ts';
import type { AgentCounters } from './agent-counters.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import type { RecordCache } from './record-cache.ts';
import { RecordReader } from './record-reader.ts';
import { RecordSurroundings } from './record-surroundings.ts';
import { RecordWriter } from './record-writer.ts';
import { keptByEngine, Scrubber } from './scrubber.ts';
import { SmallScopes } from './small-scopes.ts';
import type { TextIndex } from './text-index.ts';
import type { SqliteVectorStore } from './vectors/index.ts';

interface RecordStoreParts {
  readonly database: Database;
  readonly writer: GroupWriter;
  readonly events: SqliteEventStore;
  readonly cache: RecordCache;
  readonly index: TextIndex;
  readonly vectors: SqliteVectorStore;
  readonly counters: AgentCounters;
  /** Whether searches read a small scope whole, instead of asking an index. */
  readonly readsSmallScopes: boolean;
}

export class SqliteRecordStore implements RecordStore {
  readonly vectors: SqliteVectorStore;
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #counters: AgentCounters;
  readonly #reader: RecordReader;
  readonly #surroundings: RecordSurroundings;
  readonly #scrubber: Scrubber;
  readonly #records: RecordWriter;
  readonly #scopes: SmallScopes | undefined;
  readonly #snapshot: <T>(read: () => T) => T;

  constructor(parts: RecordStoreParts) {
    const { database, writer, events, cache, index, vectors, counters, readsSmallScopes } = parts;
    this.vectors = vectors;
    this.#database = database;
    this.#writer = writer;
    this.#counters = counters;
    this.#reader = new RecordReader(database, index);
    this.#surroundings = new RecordSurroundings(database, cache);
    this.#scrubber = new Scrubber(database, writer);
    this.#records = new RecordWriter(database, events, this.#counters, index, vectors);
    this.#scopes = readsSmallScopes ? new SmallScopes(database, cache) : undefined;
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
  }

  add(draft: RecordDraft, options: AddOptions, context: WriteContext): Promise<AddResult> {
    const digest = recordDigest(draft);
    return this.#writer.run(() => this.#records.add(draft, digest, options, context), { joins: true });
  }

  update(
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run(() => this.#records.update(id, patch, options, context));
  }

  revert(
    id: string,
    version: number | undefined,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run(() => this.#records.revert(id, version, options, context));
  }

  async forget(id: string, context: WriteContext): Promise<Erasure> {
    const [erasure] = await this.forgetMany([id], context);
    return erasure as Erasure;
  }

  async forgetMany(ids: readonly string[], context: WriteContext): Promise<readonly Erasure[]> {
    const erasures = await this.#writer.run(() => this.#records.forget(ids, context));
    const scrubbed = await this.#scrubber.run();
    const remains = keptByEngine(this.#database.name, scrubbed);
    return erasures.map((erasure) => ({ ...erasure, ...scrubbed, remains }));
  }

  get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null> {
    return reading(this.#database, () => {
      const row = this.#records.find(id);
      return row !== undefined && maySee(viewer, row) ? recordAt(row, now) : null;
    });
  }

  list(query: ListQuery): Promise<readonly MemoryRecord[]> {
    return reading(this.#database, () => this.#reader.list(query));
  }

  history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]> {
    return reading(this.#database, () => {
      const row = this.#records.find(id);
      return row === undefined ? [] : historyFor(viewer, row, this.#reader.earlierVersions(row));
    });
  }

  async scopeOf(viewer: Viewer): Promise<readonly ScopePart[] | undefined> {
    const scopes = this.#scopes;
    return scopes && reading(this.#database, () => this.#snapshot(() => scopes.of(viewer)));
  }

  termStatistics(terms: readonly string[], viewer: Viewer): Promise<TermStatistics> {
    return reading(this.#database, () => this.#reader.termStatistics(terms, viewer));
  }

  termTable(ids: readonly string[], terms: readonly string[]): Promise<TermTable | undefined> {
    return reading(this.#database, () => this.#reader.termTable(ids, terms));
  }

  searchText(query: TextQuery): Promise<readonly TextCandidate[]> {
    return reading(this.#database, () => this.#reader.searchText(query));
  }

  neighbours(query: NeighbourQuery): Promise<ReadonlyMap<string, Neighbours>> {
    return reading(this.#database, () => this.#surroundings.neighbours(query));
  }

  changedSince(query: AsOfQuery): Promise<readonly MemoryRecord[]> {
    return reading(this.#database, () => this.#surroundings.changedSince(query));
  }

  async countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void> {
    if (ids.length === 0) return;
    await this.#writer.run(() => this.#records.countAccess(ids, kind, at));
  }

  agents(): Promise<readonly AgentSummary[]> {
    return reading(this.#database, () => this.#counters.all());
  }
}
