/** What happens to records inside a transaction: the group writer holds it, and commits when these are done. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventDraft } from '../../kernel/events.ts';
import { type Change, FACT_SOURCES } from '../../kernel/record.ts';
import { mayChange, maySee, type Viewer } from '../../kernel/scope.ts';
import type {
  AddOptions,
  AddResult,
  Erasure,
  RecordDraft,
  RecordPatch,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { noDigest, recordDigest } from '../common/digest.ts';
import { newRecord, type Snapshot } from '../common/new-record.ts';
import { forgottenEvent, prunedEvent, wroteEvent } from '../common/record-events.ts';
import { mayNotChange, refuseOtherEnd, versionOf } from '../common/refusals.ts';
import { strengthening } from '../common/strengthen.ts';
import type { AgentCounters } from './agent-counters.ts';
import type { SqliteEventStore } from './event-store.ts';
import { RecordKeys } from './record-keys.ts';
import { type RecordRow, toRecord, toSnapshot } from './record-rows.ts';
import { insertValues, prepareRecordStatements } from './record-statements.ts';
import { noteTraces } from './scrubber.ts';
import type { TextIndex } from './text-index.ts';
import type { SqliteVectorStore } from './vectors/index.ts';

const author = (context: WriteContext) => context.viewer.agent ?? context.viewer.role;

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

  /** The row, if the viewer may see it. */
  visible(id: string, viewer: Viewer): RecordRow | undefined {
    const row = this.#statements.byId.get(id) as RecordRow | undefined;
    return row !== undefined && maySee(viewer, row) ? row : undefined;
  }

  add(
    draft: RecordDraft,
    digest: Buffer,
    { idempotencyKey: key, maxFacts, supersedes }: AddOptions,
    context: WriteContext,
  ): AddResult {
    const earlier = this.#earlier(draft, digest, key, context.at);
    if (earlier !== undefined) {
      if (key !== undefined) this.#keys.use(draft.agent, key, earlier.row.rid, digest);
      const patch = earlier.by === 'text' ? strengthening(toRecord(earlier.row, context.at), draft) : {};
      // Known before, but it takes the other one's place only now. A repeated call has done that already.
      if (supersedes !== undefined && earlier.by === 'text' && supersedes !== earlier.row.id) {
        this.#supersede(this.#replaceable(supersedes, context), { ...draft, id: earlier.row.id }, context);
      }
      return { ...this.#change(earlier.row, patch, 'updated', maxFacts, context), outcome: 'duplicate' };
    }
    const superseded = supersedes === undefined ? undefined : this.#replaceable(supersedes, context);
    this.#counters.ensure(draft.agent, context.at);
    const counted = FACT_SOURCES.includes(draft.source) ? 1 : 0;
    const tags = JSON.stringify(draft.tags);
    const { lastInsertRowid } = this.#statements.insert.run(
      insertValues(draft, {
        tags,
        supersedes: supersedes ?? null,
        at: context.at,
        author: author(context),
        counted,
        digest,
      }),
    );
    const rid = Number(lastInsertRowid);
    if (key !== undefined) this.#keys.use(draft.agent, key, rid, digest);
    this.#index.defer(rid, { ...draft, tags });
    this.#vectors.rows.add({ ...draft, rid, version: 1 }, draft.embedding);
    this.#counters.addFacts(draft.agent, counted);
    if (superseded !== undefined) this.#supersede(superseded, draft, context);
    const wrote = wroteEvent(draft, 1, 'added', context);
    const { pruned, drafts } = counted === 1 ? this.#prune(draft.agent, maxFacts, context) : NOTHING_PRUNED;
    // Reading the row back would cost a quarter of the write; only the cap can have changed it meanwhile.
    const record = pruned.includes(draft.id)
      ? toRecord(this.#statements.byRid.get(rid) as RecordRow, context.at)
      : newRecord(draft, supersedes ?? null, context.at);
    return {
      outcome: 'added',
      record,
      pruned,
      events: this.#events.write([wrote, ...drafts]),
    };
  }

  /** The record that a new one is to take the place of; only one can. */
  #replaceable(id: string, context: WriteContext): RecordRow {
    const row = this.#changeable(id, undefined, context);
    if (row.superseded_by === null) return row;
    throw new KeepsakeError('CONFLICT', `${id} was superseded by ${row.superseded_by} already.`, {
      hint: `Supersede ${row.superseded_by} instead.`,
      details: { id, supersededBy: row.superseded_by },
    });
  }

  /** The old one stops to hold when the new one begins to, but never later than now. */
  #supersede(row: RecordRow, draft: RecordDraft, { at }: WriteContext): void {
    const until = Math.max(row.valid_from ?? row.created_at, Math.min(at, draft.validFrom ?? at));
    const earlier = row.expires_at === null ? until : Math.min(until, row.expires_at);
    this.#statements.supersede.run({ rid: row.rid, until: earlier, by: draft.id });
    this.#counters.addFacts(row.agent, -row.counted);
  }

  /** The record that makes this one unnecessary: same key, or the same text still alive. */
  #earlier(
    draft: RecordDraft,
    digest: Buffer,
    key: string | undefined,
    now: number,
  ): { readonly row: RecordRow; readonly by: 'key' | 'text' } | undefined {
    const keyed = key === undefined ? undefined : this.#keys.find(draft.agent, key, digest);
    if (keyed !== undefined) return { row: keyed, by: 'key' };
    const row = this.#statements.byDigest.get(digest, now) as RecordRow | undefined;
    return row === undefined ? undefined : { row, by: 'text' };
  }

  #changeable(id: string, ifVersion: number | undefined, context: WriteContext): RecordRow {
    const row = this.visible(id, context.viewer);
    if (row === undefined) {
      throw new KeepsakeError('NOT_FOUND', `There is no memory ${id}.`, {
        hint: 'List or search to find its id.',
      });
    }
    if (!mayChange(context.viewer, row)) throw mayNotChange(id, author(context), row);
    if (row.forgotten_at !== null) {
      throw new KeepsakeError('FORGOTTEN', `${id} was forgotten; its content is gone.`, { details: { id } });
    }
    if (ifVersion !== undefined && ifVersion !== row.version) {
      throw new KeepsakeError('CONFLICT', `${id} is at version ${row.version}, not ${ifVersion}.`, {
        hint: 'Read it again and repeat the change.',
        details: { id, expected: ifVersion, found: row.version },
      });
    }
    return row;
  }

  #change(
    row: RecordRow,
    patch: RecordPatch,
    kind: Change,
    maxFacts: number,
    context: WriteContext,
  ): UpdateResult {
    const before = toSnapshot(row);
    const { embedding, ...fields } = patch;
    const after: Snapshot = { ...before, ...fields };
    if (JSON.stringify(before) === JSON.stringify(after)) return this.#unchanged(row, context.at);

    const expired = isOver(after.expiresAt, context.at);
    const change = kind === 'updated' && expired && before.expiresAt !== after.expiresAt ? 'expired' : kind;
    const counted = FACT_SOURCES.includes(row.source) && !expired ? 1 : 0;
    const tags = JSON.stringify(after.tags);
    this.#statements.keepVersion.run(
      row.rid,
      row.version,
      row.change,
      row.updated_at,
      row.changed_by,
      JSON.stringify(before),
    );
    this.#index.remove(row.rid, row);
    this.#statements.update.run({
      ...after,
      rid: row.rid,
      tags,
      metadata: JSON.stringify(after.metadata),
      pinned: Number(after.pinned),
      reason: expired ? (after.expiresAt === before.expiresAt ? row.expiry_reason : 'manual') : null,
      at: context.at,
      change,
      author: author(context),
      counted,
      digest: recordDigest({ ...after, agent: row.agent, source: row.source, thread: row.thread }),
    });
    this.#index.defer(row.rid, { ...after, agent: row.agent, tags });
    this.#vectors.rows.change(row, after, embedding);
    this.#counters.addFacts(row.agent, counted - row.counted);
    const wrote = wroteEvent(
      { ...after, id: row.id, agent: row.agent, source: row.source },
      row.version + 1,
      change,
      context,
    );
    // A fact that expired by itself kept its place, so the count alone does not tell that it came back to life.
    const revived = row.counted === 0 || isOver(row.expires_at, context.at);
    const joins = counted === 1 && (revived || (row.pinned === 1 && !after.pinned));
    const { pruned, drafts } = joins ? this.#prune(row.agent, maxFacts, context) : NOTHING_PRUNED;
    const now = this.#statements.byRid.get(row.rid) as RecordRow;
    return {
      outcome: 'updated',
      record: toRecord(now, context.at),
      pruned,
      events: this.#events.write([wrote, ...drafts]),
    };
  }

  #unchanged(row: RecordRow, now: number): UpdateResult {
    return { outcome: 'unchanged', record: toRecord(row, now), pruned: [], events: [] };
  }

  #prune(agent: string, limit: number, context: WriteContext): { pruned: string[]; drafts: EventDraft[] } {
    const rows = this.#counters.overflow(agent, limit, context.at);
    for (const { rid } of rows) this.#statements.prune.run(context.at, rid);
    this.#counters.addFacts(agent, -rows.length);
    return {
      pruned: rows.map((row) => row.id),
      drafts: rows.map((row) => prunedEvent(row, limit, context)),
    };
  }

  forget(ids: readonly string[], context: WriteContext): Omit<Erasure, 'journalErased' | 'pagesErased'>[] {
    const rows: RecordRow[] = [];
    const erasures = ids.map((id) => this.#forget(id, context, rows));
    this.#index.erase(rows);
    this.#events.blur(ids);
    return erasures;
  }

  /** All but its words in the index and the events, which go with those of the others: the rows are collected for that. */
  #forget(
    id: string,
    context: WriteContext,
    rows: RecordRow[],
  ): Omit<Erasure, 'journalErased' | 'pagesErased'> {
    let row: RecordRow;
    try {
      row = this.#changeable(id, undefined, context);
    } catch (error) {
      if (KeepsakeError.is(error) && error.code === 'FORGOTTEN') {
        return { id, characters: 0, versions: 0, indexEntries: 0, events: [] };
      }
      throw error;
    }
    rows.push(row);
    this.#vectors.rows.erase(row.rid);
    const versions = this.#statements.dropVersions.run(row.rid).changes;
    this.#keys.forget(row.rid);
    this.#statements.forget.run({
      rid: row.rid,
      at: context.at,
      author: author(context),
      digest: noDigest(),
    });
    this.#counters.addFacts(row.agent, -row.counted);
    // Until it is scrubbed: a process that dies in between must not leave traces that nobody knows of.
    noteTraces(this.#database, true);
    const events = this.#events.write([forgottenEvent(id, row.agent, context)]);
    return { id, characters: row.content.length, versions: versions + 1, indexEntries: 1, events };
  }

  update(
    id: string,
    patch: RecordPatch,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): UpdateResult {
    const row = this.#changeable(id, ifVersion, context);
    refuseOtherEnd(row, patch);
    return this.#change(row, patch, 'updated', maxFacts, context);
  }

  revert(
    id: string,
    version: number | undefined,
    { ifVersion, maxFacts }: UpdateOptions,
    context: WriteContext,
  ): UpdateResult {
    const row = this.#changeable(id, ifVersion, context);
    const target = version ?? row.version - 1;
    if (target === row.version) return this.#unchanged(row, context.at);
    const stored = this.#statements.version.get(row.rid, target) as string | undefined;
    const snapshot = stored === undefined ? undefined : (JSON.parse(stored) as Snapshot);
    // A version from before it was shared is as private as it was then.
    if (snapshot === undefined || !maySee(context.viewer, { ...snapshot, agent: row.agent })) {
      throw new KeepsakeError('NOT_FOUND', `${id} has no version ${target} to go back to.`, {
        hint: `Its versions are 1 to ${row.version}; see its history.`,
      });
    }
    return this.#change(row, versionOf(row, snapshot), 'undone', maxFacts, context);
  }

  countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): void {
    for (const id of ids) {
      if (kind === 'access') this.#statements.countAccess.run(at, id);
      else this.#statements.countInjection.run(id);
    }
  }
}

const isOver = (expiresAt: number | null, now: number): boolean => expiresAt !== null && expiresAt <= now;

const NOTHING_PRUNED: { pruned: string[]; drafts: EventDraft[] } = { pruned: [], drafts: [] };
