/** Records in Postgres: each verb is one job of the group writer, so it is atomic and durable when it resolves. */
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
  SearchReads,
  TermStatistics,
  TermTable,
  TextCandidate,
  TextQuery,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { historyFor, recordAt } from '../../records/rules/stored-records.ts';
import type { ResidentSearch } from '../resident-search/index.ts';
import { allAgents } from './agent-counters.ts';
import type { Database } from './database.ts';
import { KEPT_BY_THE_SERVER, LEFT_TO_THE_SERVER } from './erasure.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { forgetRecords } from './record-forget.ts';
import { earlierVersions, listRecords, searchText } from './record-reader.ts';
import { findRecord } from './record-rows.ts';
import { changedSince, neighbours } from './record-surroundings.ts';
import { RecordWriter } from './record-writer.ts';
import type { FeedPlace } from './resident-source.ts';
import { sql } from './sql.ts';
import { termStatistics } from './term-statistics.ts';
import type { PostgresVectorStore } from './vectors/vector-store.ts';

export class PostgresRecordStore implements RecordStore {
  readonly vectors: PostgresVectorStore;
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: PostgresEventStore;
  readonly #records: RecordWriter;
  readonly #resident: ResidentSearch<FeedPlace>;

  constructor(
    database: Database,
    writer: GroupWriter,
    events: PostgresEventStore,
    vectors: PostgresVectorStore,
    resident: ResidentSearch<FeedPlace>,
  ) {
    this.#resident = resident;
    this.vectors = vectors;
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
    this.#records = new RecordWriter(events);
  }

  add(draft: RecordDraft, options: AddOptions, context: WriteContext): Promise<AddResult> {
    return this.#writer.run((transaction) => this.#records.add(transaction, draft, options, context));
  }

  update(
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run((transaction) => this.#records.update(transaction, id, patch, options, context));
  }

  revert(
    id: string,
    version: number | undefined,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run((transaction) =>
      this.#records.revert(transaction, id, version, options, context),
    );
  }

  async forget(id: string, context: WriteContext): Promise<Erasure> {
    const [erasure] = await this.forgetMany([id], context);
    return erasure as Erasure;
  }

  async forgetMany(ids: readonly string[], context: WriteContext): Promise<readonly Erasure[]> {
    const erasures = await this.#writer.run((transaction) =>
      forgetRecords(transaction, this.#events, ids, context),
    );
    await this.#resident.refresh();
    return erasures.map((erasure) => ({ ...erasure, ...LEFT_TO_THE_SERVER, remains: KEPT_BY_THE_SERVER }));
  }

  async get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null> {
    const row = await findRecord(this.#database, id);
    return row !== undefined && maySee(viewer, row) ? recordAt(row, now) : null;
  }

  list(query: ListQuery): Promise<readonly MemoryRecord[]> {
    return listRecords(this.#database, query);
  }

  history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]> {
    return this.#database.snapshot(async (session) => {
      const row = await findRecord(session, id);
      return row === undefined ? [] : historyFor(viewer, row, await earlierVersions(session, row));
    });
  }

  async forSearch(): Promise<SearchReads | undefined> {
    const resident = await this.#resident.current();
    if (resident === undefined) return undefined;
    return {
      termStatistics: async (terms, viewer) => resident.termStatistics(terms, viewer),
      termTable: async (ids, terms) => resident.termTable(ids, terms),
      searchText: (query) => resident.searchText(query),
      neighbours: async (query) => resident.neighbours(query),
      vectors: this.vectors.searching(resident),
    };
  }

  async termStatistics(terms: readonly string[], viewer: Viewer): Promise<TermStatistics> {
    const resident = await this.#resident.current();
    return resident?.termStatistics(terms, viewer) ?? termStatistics(this.#database, terms, viewer);
  }

  async termTable(ids: readonly string[], terms: readonly string[]): Promise<TermTable | undefined> {
    return (await this.#resident.current())?.termTable(ids, terms);
  }

  async searchText(query: TextQuery): Promise<readonly TextCandidate[]> {
    const resident = await this.#resident.current();
    return resident === undefined ? searchText(this.#database, query) : resident.searchText(query);
  }

  async neighbours(query: NeighbourQuery): Promise<ReadonlyMap<string, Neighbours>> {
    return (await this.#resident.current())?.neighbours(query) ?? neighbours(this.#database, query);
  }

  changedSince(query: AsOfQuery): Promise<readonly MemoryRecord[]> {
    return changedSince(this.#database, query);
  }

  async countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void> {
    if (ids.length === 0) return;
    const times = new Map<string, number>();
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
    const counted = sql`(SELECT * FROM unnest(${[...times.keys()]}::text[], ${[...times.values()]}::int[])) AS c (id, times)
      WHERE r.id = c.id AND r.forgotten_at IS NULL`;
    await this.#writer.run((transaction) =>
      transaction.run(
        kind === 'access'
          ? sql`UPDATE records r SET access_count = access_count + c.times, accessed_at = ${at} FROM ${counted}`
          : sql`UPDATE records r SET injected_count = injected_count + c.times FROM ${counted}`,
      ),
    );
  }

  agents(): Promise<readonly AgentSummary[]> {
    return allAgents(this.#database);
  }
}
