/** Applies the decisions about records inside the transaction that the group writer holds. */
import type { Database } from 'better-sqlite3';
import type {
  AddOptions,
  AddResult,
  RecordDraft,
  RecordPatch,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { requireChangeable } from '../../records/rules/change-rights.ts';
import { type AddPlan, decideAdd } from '../../records/rules/decide-add.ts';
import {
  type ChangePlan,
  decideRevert,
  decideUpdate,
  restoredVersion,
} from '../../records/rules/decide-change.ts';
import {
  decideForget,
  type ErasePlan,
  erasureOf,
  type Forgotten,
} from '../../records/rules/decide-forget.ts';
import { decidePrune, type PrunePlan } from '../../records/rules/decide-prune.ts';
import type { SupersedePlan } from '../../records/rules/decide-supersede.ts';
import { recordAt, type Snapshot } from '../../records/rules/stored-records.ts';
import { noDigest, recordDigest } from '../common/digest.ts';
import type { StoredRow } from '../common/record-columns.ts';
import { storedJson } from '../common/stored-json.ts';
import type { AgentCounters, Owner } from './agent-counters.ts';
import type { SqliteEventStore } from './event-store.ts';
import { RecordKeys } from './record-keys.ts';
import { type RecordRow, toIndexed, toRecord, toStored } from './record-rows.ts';
import { insertValues, prepareRecordStatements } from './record-statements.ts';
import { noteTraces } from './scrubber.ts';
import type { TextIndex } from './text-index.ts';
import type { SqliteVectorStore } from './vectors/index.ts';

type InsertPlan = Extract<AddPlan<StoredRow>, { outcome: 'added' }>;
/** What is the same for all that one call writes. */
interface Write {
  readonly maxFacts: number;
  readonly context: WriteContext;
}

export class RecordWriter {
  readonly #database: Database;
  readonly #events: SqliteEventStore;
  readonly #counters: AgentCounters;
  readonly #keys: RecordKeys;
  readonly #index: TextIndex;
  readonly #vectors: SqliteVectorStore;
  readonly #statements;

  constructor(
    database: Database,
    events: SqliteEventStore,
    counters: AgentCounters,
    index: TextIndex,
    vectors: SqliteVectorStore,
  ) {
    this.#database = database;
    this.#events = events;
    this.#counters = counters;
    this.#index = index;
    this.#vectors = vectors;
    this.#keys = new RecordKeys(database);
    this.#statements = prepareRecordStatements(database);
  }

  find(id: string): StoredRow | undefined {
    const row = this.#statements.byId.get(id) as RecordRow | undefined;
    return row && toStored(row);
  }

  add(draft: RecordDraft, digest: Buffer, options: AddOptions, context: WriteContext): AddResult {
    const { idempotencyKey: key, maxFacts, supersedes } = options;
    const keyed = key === undefined ? undefined : this.#keys.find(draft, key, digest);
    const found = {
      keyed,
      same: keyed === undefined ? this.#findSame(digest, context.at) : undefined,
      superseded: supersedes === undefined ? undefined : this.find(supersedes),
    };
    const plan = decideAdd(found, draft, options, context);
    if (plan.outcome === 'added') {
      const rid = this.#insert(plan, draft, digest);
      if (key !== undefined) this.#keys.use(draft, key, rid, digest);
      return this.#added(plan, rid, { maxFacts, context });
    }
    if (key !== undefined) this.#keys.use(draft, key, plan.row.rid, digest);
    if (plan.supersede !== undefined) this.#supersede(plan.supersede);
    return { ...this.#change(plan.change, { maxFacts, context }), outcome: 'duplicate' };
  }

  update(id: string, patch: RecordPatch, options: UpdateOptions, context: WriteContext): UpdateResult {
    const plan = decideUpdate(this.find(id), id, patch, options, context);
    return this.#change(plan, { maxFacts: options.maxFacts, context });
  }

  revert(
    id: string,
    version: number | undefined,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): UpdateResult {
    const row = requireChangeable(this.find(id), id, ifVersion, context);
    const target = restoredVersion(row, version);
    const stored = this.#statements.version.get(row.rid, target) as string | undefined;
    const snapshot = stored === undefined ? undefined : storedJson<Snapshot>(stored);
    return this.#change(decideRevert(row, target, snapshot, context), { maxFacts, context });
  }

  /** All of them or none. */
  forget(ids: readonly string[], context: WriteContext): Forgotten[] {
    const erased: StoredRow[] = [];
    const results = ids.map((id) => {
      const plan = decideForget(this.find(id), id, context);
      if (plan.outcome === 'forgotten') return plan.result;
      erased.push(plan.row);
      return this.#erase(plan);
    });
    // Once for all of them, which costs much less.
    this.#index.erase(erased.map((row) => ({ ...toIndexed(row), rid: row.rid })));
    this.#events.blur(ids);
    return results;
  }

  countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): void {
    for (const id of ids) {
      if (kind === 'access') this.#statements.countAccess.run(at, id);
      else this.#statements.countInjection.run(id);
    }
  }

  /** The oldest live record that is the same. */
  #findSame(digest: Buffer, now: number): StoredRow | undefined {
    const row = this.#statements.byDigest.get(digest, now) as RecordRow | undefined;
    return row && toStored(row);
  }

  #insert({ record, changedBy, counted }: InsertPlan, draft: RecordDraft, digest: Buffer): number {
    this.#counters.ensure(record, record.createdAt);
    const indexed = toIndexed(record);
    const { lastInsertRowid } = this.#statements.insert.run(
      insertValues(record, { tags: indexed.tags, changedBy, counted, digest }),
    );
    const rid = Number(lastInsertRowid);
    this.#index.defer(rid, indexed);
    this.#vectors.rows.add({ ...draft, rid, version: record.version }, draft.embedding);
    this.#counters.addFacts(record, Number(counted));
    return rid;
  }

  #added({ record, counted, supersede, event }: InsertPlan, rid: number, write: Write): AddResult {
    if (supersede !== undefined) this.#supersede(supersede);
    const { pruned, events } = counted ? this.#prune(record, write) : NOTHING_PRUNED;
    return {
      outcome: 'added',
      // Reading the row back would cost a quarter of the write; only the cap can have changed it meanwhile.
      record: pruned.includes(record.id) ? this.#read(rid, write.context.at) : record,
      pruned,
      events: this.#events.write([event, ...events]),
    };
  }

  #change(plan: ChangePlan<StoredRow>, write: Write): UpdateResult {
    const { row } = plan;
    if (plan.outcome === 'unchanged') {
      return { outcome: 'unchanged', record: recordAt(row, write.context.at), pruned: [], events: [] };
    }
    const { kept, fields } = plan;
    const after = { ...row, ...fields };
    const indexed = toIndexed(after);
    const { version, change, changedAt, changedBy, snapshot } = kept;
    this.#statements.keepVersion.run(
      ...[row.rid, version, change, changedAt, changedBy, JSON.stringify(snapshot)],
    );
    this.#index.remove(row.rid, toIndexed(row));
    this.#statements.update.run({
      ...fields,
      ...{ rid: row.rid, tags: indexed.tags, metadata: JSON.stringify(fields.metadata) },
      ...{ pinned: Number(fields.pinned), counted: Number(fields.counted), digest: recordDigest(after) },
    });
    this.#index.defer(row.rid, indexed);
    this.#vectors.rows.change(row, after, plan.embedding);
    this.#counters.addFacts(row, plan.facts);
    const { pruned, events } = plan.checksCap ? this.#prune(row, write) : NOTHING_PRUNED;
    return {
      outcome: 'updated',
      record: this.#read(row.rid, write.context.at),
      pruned,
      events: this.#events.write([plan.event, ...events]),
    };
  }

  #supersede({ row, fields, facts }: SupersedePlan<StoredRow>): void {
    this.#statements.supersede.run({ ...fields, rid: row.rid, counted: Number(fields.counted) });
    this.#counters.addFacts(row, facts);
  }

  #prune(owner: Owner, { maxFacts, context }: Write): Pick<PrunePlan, 'pruned' | 'events'> {
    const weakest = this.#counters.overflow(owner, maxFacts, context.at);
    if (weakest.length === 0) return NOTHING_PRUNED;
    const plan = decidePrune(weakest, maxFacts, context);
    const fields = { ...plan.fields, counted: Number(plan.fields.counted) };
    for (const id of plan.pruned) this.#statements.prune.run({ ...fields, id });
    this.#counters.addFacts(owner, plan.facts);
    return plan;
  }

  /** All but its words in the index and its events, which go with those of the others. */
  #erase(plan: ErasePlan<StoredRow>): Forgotten {
    const { row, fields, facts, event } = plan;
    this.#vectors.rows.erase(row.rid);
    const versions = this.#statements.dropVersions.run(row.rid).changes;
    this.#keys.forget(row.rid);
    this.#statements.forget.run({
      ...fields,
      ...{ rid: row.rid, tags: JSON.stringify(fields.tags), metadata: JSON.stringify(fields.metadata) },
      ...{ counted: Number(fields.counted), digest: noDigest() },
    });
    this.#counters.addFacts(row, facts);
    // Until it is scrubbed: a process that dies in between must not leave traces that nobody knows of.
    noteTraces(this.#database, true);
    return erasureOf(plan, versions, this.#events.write([event]));
  }

  #read(rid: number, now: number) {
    return toRecord(this.#statements.byRid.get(rid) as RecordRow, now);
  }
}

const NOTHING_PRUNED: Pick<PrunePlan, 'pruned' | 'events'> = { pruned: [], events: [] };
