/** Records in SQLite: each verb is one job of the group writer, so it is atomic and durable when it resolves. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventDraft, KeepsakeEvent } from '../../kernel/events.ts';
import { type Change, FACT_SOURCES, type MemoryRecord, type RecordVersion } from '../../kernel/record.ts';
import { mayChange, maySee, type Viewer } from '../../kernel/scope.ts';
import type {
  AddOptions,
  AddResult,
  AgentSummary,
  Erasure,
  ListQuery,
  RecordDraft,
  RecordPatch,
  RecordStore,
  TextQuery,
  TextResult,
  UpdateOptions,
  UpdateResult,
  WriteContext,
} from '../../ports/record-store.ts';
import { digestOf, noDigest } from './digest.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { RecordReader } from './record-reader.ts';
import { RECORD_COLUMNS, type RecordRow, type Snapshot, toRecord, toSnapshot } from './record-rows.ts';
import { Silos } from './silos.ts';
import type { TextIndex } from './text-index.ts';

const author = (context: WriteContext) => context.viewer.agent ?? context.viewer.role;

export class SqliteRecordStore implements RecordStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: SqliteEventStore;
  readonly #silos: Silos;
  readonly #index: TextIndex;
  readonly #reader: RecordReader;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter, events: SqliteEventStore, index: TextIndex) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
    this.#index = index;
    this.#silos = new Silos(database);
    this.#reader = new RecordReader(database, index);
    this.#statements = prepareStatements(database);
  }

  add(draft: RecordDraft, options: AddOptions, context: WriteContext): Promise<AddResult> {
    const key = options.idempotencyKey === undefined ? null : digestOf(options.idempotencyKey);
    const digest = digestOf(draft.agent, draft.scope, draft.category, draft.content);
    return this.#writer.run(() => this.#add(draft, digest, key, options.maxFacts, context));
  }

  update(
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run(() => {
      const row = this.#changeable(id, options.ifVersion, context);
      return this.#change(row, patch, 'updated', options.maxFacts, context);
    });
  }

  revert(
    id: string,
    version: number | undefined,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#writer.run(() => {
      const row = this.#changeable(id, options.ifVersion, context);
      const target = version ?? row.version - 1;
      if (target === row.version) return this.#unchanged(row, context.at);
      const snapshot = this.#statements.version.get(row.rid, target) as string | undefined;
      if (snapshot === undefined) {
        throw new KeepsakeError('NOT_FOUND', `${id} has no version ${target} to go back to.`, {
          hint: `Its versions are 1 to ${row.version}; see its history.`,
        });
      }
      return this.#change(row, JSON.parse(snapshot) as Snapshot, 'undone', options.maxFacts, context);
    });
  }

  async forget(id: string, context: WriteContext): Promise<Erasure> {
    const erasure = await this.#writer.run(() => this.#forget(id, context));
    // Old pages stay in the write-ahead log until it is emptied; a reader in another process can delay that.
    const [checkpoint] = this.#database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return { ...erasure, journalErased: checkpoint?.busy === 0 };
  }

  async get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null> {
    const row = this.#statements.byId.get(id) as RecordRow | undefined;
    return row === undefined || !maySee(viewer, row) ? null : toRecord(row, now);
  }

  async list(query: ListQuery): Promise<readonly MemoryRecord[]> {
    return this.#reader.list(query);
  }

  async history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]> {
    const row = this.#statements.byId.get(id) as RecordRow | undefined;
    return row === undefined || !maySee(viewer, row) ? [] : this.#reader.history(row);
  }

  async searchText(query: TextQuery): Promise<TextResult> {
    return this.#reader.searchText(query);
  }

  async countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void> {
    if (ids.length === 0) return;
    await this.#writer.run(() => {
      for (const id of ids) {
        if (kind === 'access') this.#statements.countAccess.run(at, id);
        else this.#statements.countInjection.run(id);
      }
    });
  }

  async agents(): Promise<readonly AgentSummary[]> {
    return this.#silos.all();
  }

  #add(
    draft: RecordDraft,
    digest: Buffer,
    key: Buffer | null,
    maxFacts: number,
    context: WriteContext,
  ): AddResult {
    const earlier = this.#earlier(draft, digest, key, context.at);
    if (earlier !== undefined) {
      return { outcome: 'duplicate', record: toRecord(earlier, context.at), pruned: [], events: [] };
    }
    this.#silos.ensure(draft.agent, context.at);
    const counted = FACT_SOURCES.includes(draft.source) ? 1 : 0;
    const tags = JSON.stringify(draft.tags);
    const { lastInsertRowid } = this.#statements.insert.run({
      ...draft,
      tags,
      metadata: JSON.stringify(draft.metadata),
      pinned: Number(draft.pinned),
      at: context.at,
      author: author(context),
      counted,
      digest,
      key,
    });
    const rid = Number(lastInsertRowid);
    this.#index.add(rid, { ...draft, tags });
    this.#silos.addFacts(draft.agent, counted);
    const wrote = this.#wrote(draft, 1, 'added', context);
    const { pruned, drafts } = counted === 1 ? this.#prune(draft.agent, maxFacts, context) : NOTHING_PRUNED;
    const row = this.#statements.byRid.get(rid) as RecordRow;
    return {
      outcome: 'added',
      record: toRecord(row, context.at),
      pruned,
      events: this.#events.write([wrote, ...drafts]),
    };
  }

  /** The record that makes this one unnecessary: same key, or the same text still alive. */
  #earlier(draft: RecordDraft, digest: Buffer, key: Buffer | null, now: number): RecordRow | undefined {
    if (key !== null) {
      const found = this.#statements.byKey.get(draft.agent, key) as
        | (RecordRow & { digest: Buffer })
        | undefined;
      if (found !== undefined) {
        if (found.version === 1 && found.forgotten_at === null && !digest.equals(found.digest)) {
          throw new KeepsakeError('CONFLICT', 'This idempotency key was used before, for another text.', {
            hint: 'Use a new key for a new memory, or the same text for the same key.',
            details: { id: found.id },
          });
        }
        return found;
      }
    }
    return this.#statements.byDigest.get(digest, now) as RecordRow | undefined;
  }

  #changeable(id: string, ifVersion: number | undefined, context: WriteContext): RecordRow {
    const row = this.#statements.byId.get(id) as RecordRow | undefined;
    if (row === undefined || !maySee(context.viewer, row)) {
      throw new KeepsakeError('NOT_FOUND', `There is no memory ${id}.`, {
        hint: 'List or search to find its id.',
      });
    }
    if (!mayChange(context.viewer, row)) {
      throw new KeepsakeError(
        'FORBIDDEN',
        `${author(context)} may not change ${id}, which belongs to ${row.agent}.`,
        {
          hint: 'Its owner can, and so can a lead when it is shared with the swarm.',
        },
      );
    }
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
    const after: Snapshot = { ...before, ...patch };
    if (JSON.stringify(before) === JSON.stringify(after)) return this.#unchanged(row, context.at);

    const expired = after.expiresAt !== null && after.expiresAt <= context.at;
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
      digest: digestOf(row.agent, after.scope, after.category, after.content),
    });
    this.#index.add(row.rid, { ...after, agent: row.agent, tags });
    this.#silos.addFacts(row.agent, counted - row.counted);
    const wrote = this.#wrote(
      { ...after, id: row.id, agent: row.agent, source: row.source },
      row.version + 1,
      change,
      context,
    );
    const { pruned, drafts } =
      counted > row.counted ? this.#prune(row.agent, maxFacts, context) : NOTHING_PRUNED;
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
    const rows = this.#silos.overflow(agent, limit, context.at);
    for (const { rid } of rows) this.#statements.prune.run(context.at, rid);
    this.#silos.addFacts(agent, -rows.length);
    return {
      pruned: rows.map((row) => row.id),
      drafts: rows.map((row) => ({
        ...this.#envelope(row.agent, context),
        type: 'memory.pruned',
        id: row.id,
        category: row.category,
        limit,
      })),
    };
  }

  #forget(id: string, context: WriteContext): Omit<Erasure, 'journalErased'> {
    let row: RecordRow;
    try {
      row = this.#changeable(id, undefined, context);
    } catch (error) {
      if (KeepsakeError.is(error) && error.code === 'FORGOTTEN') {
        return { id, characters: 0, versions: 0, indexEntries: 0, events: [] };
      }
      throw error;
    }
    this.#index.remove(row.rid, row);
    const versions = this.#statements.dropVersions.run(row.rid).changes;
    this.#statements.forget.run({
      rid: row.rid,
      at: context.at,
      author: author(context),
      digest: noDigest(),
    });
    this.#silos.addFacts(row.agent, -row.counted);
    const forgotten: EventDraft = { ...this.#envelope(row.agent, context), type: 'memory.forgotten', id };
    const events: KeepsakeEvent[] = this.#events.write([forgotten]);
    return { id, characters: row.content.length, versions: versions + 1, indexEntries: 1, events };
  }

  #wrote(
    record: Pick<MemoryRecord, 'id' | 'agent' | 'category' | 'source' | 'scope'>,
    version: number,
    change: Change,
    context: WriteContext,
  ): EventDraft {
    const { id, agent, category, source, scope } = record;
    return {
      ...this.#envelope(agent, context),
      type: 'memory.wrote',
      id,
      category,
      source,
      scope,
      version,
      change,
    };
  }

  #envelope(agent: string, { at, via, session }: WriteContext) {
    return { at, via, agent, ...(session === undefined ? {} : { session }) };
  }
}

const NOTHING_PRUNED: { pruned: string[]; drafts: EventDraft[] } = { pruned: [], drafts: [] };

function prepareStatements(database: Database) {
  const select = `SELECT ${RECORD_COLUMNS} FROM records r`;
  return {
    byId: database.prepare(`${select} WHERE r.id = ?`),
    byRid: database.prepare(`${select} WHERE r.rid = ?`),
    byKey: database.prepare(
      `SELECT ${RECORD_COLUMNS}, r.digest FROM records r WHERE r.agent = ? AND r.idempotency_digest = ?`,
    ),
    byDigest: database.prepare(
      `${select} WHERE r.digest = ? AND r.forgotten_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?) LIMIT 1`,
    ),
    insert:
      database.prepare(`INSERT INTO records (id, agent, scope, source, category, confidence, content, tags, metadata,
      origin, pinned, created_at, updated_at, expires_at, version, change, changed_by, counted, digest, idempotency_digest)
      VALUES (@id, @agent, @scope, @source, @category, @confidence, @content, @tags, @metadata,
      @origin, @pinned, @at, @at, @expiresAt, 1, 'added', @author, @counted, @digest, @key)`),
    update:
      database.prepare(`UPDATE records SET content = @content, category = @category, confidence = @confidence,
      scope = @scope, tags = @tags, metadata = @metadata, pinned = @pinned, expires_at = @expiresAt,
      expiry_reason = @reason, updated_at = @at, version = version + 1, change = @change, changed_by = @author,
      counted = @counted, digest = @digest WHERE rid = @rid`),
    prune: database.prepare(
      `UPDATE records SET expires_at = ?, expiry_reason = 'maxEntries', counted = 0 WHERE rid = ?`,
    ),
    forget:
      database.prepare(`UPDATE records SET content = '', tags = '[]', metadata = '{}', forgotten_at = @at,
      updated_at = @at, change = 'updated', changed_by = @author, counted = 0, digest = @digest WHERE rid = @rid`),
    version: database.prepare('SELECT snapshot FROM record_versions WHERE rid = ? AND version = ?').pluck(),
    keepVersion: database.prepare('INSERT INTO record_versions VALUES (?, ?, ?, ?, ?, ?)'),
    dropVersions: database.prepare('DELETE FROM record_versions WHERE rid = ?'),
    countAccess: database.prepare(
      'UPDATE records SET access_count = access_count + 1, accessed_at = ? WHERE id = ? AND forgotten_at IS NULL',
    ),
    countInjection: database.prepare(
      'UPDATE records SET injected_count = injected_count + 1 WHERE id = ? AND forgotten_at IS NULL',
    ),
  };
}
