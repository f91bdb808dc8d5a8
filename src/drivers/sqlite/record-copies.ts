/** Reads and writes records exactly as they are stored, for archives that lose nothing. */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import { defined } from '../../kernel/defined.ts';
import type {
  CopyContext,
  CopyOutcome,
  CopyQuery,
  FullCopy,
  IncomingCopy,
  KeyCopy,
  MirrorOutcome,
  RecordCopies,
  RecordCopy,
} from '../../ports/record-copies.ts';
import { copyOf, decideCopy } from '../../records/rules/decide-copy.ts';
import { wroteEvent } from '../../records/rules/record-events.ts';
import { noDigest, recordDigest } from '../common/digest.ts';
import { userColumn, userOf } from '../common/record-columns.ts';
import { fromBlob } from '../common/vector-math.ts';
import type { AgentCounters } from './agent-counters.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { RecordReader } from './record-reader.ts';
import { RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';
import { Scrubber } from './scrubber.ts';
import type { TextIndex } from './text-index.ts';
import type { SqliteVectorStore } from './vectors/index.ts';

interface VectorRow {
  readonly id: string;
  readonly dimensions: number;
  readonly vector: Buffer;
}

export class SqliteRecordCopies implements RecordCopies {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: SqliteEventStore;
  readonly #index: TextIndex;
  readonly #vectors: SqliteVectorStore;
  readonly #counters: AgentCounters;
  readonly #reader: RecordReader;
  readonly #scrubber: Scrubber;
  readonly #statements;

  constructor(
    database: Database,
    writer: GroupWriter,
    events: SqliteEventStore,
    index: TextIndex,
    vectors: SqliteVectorStore,
    counters: AgentCounters,
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
    this.#index = index;
    this.#vectors = vectors;
    this.#counters = counters;
    this.#reader = new RecordReader(database, index);
    this.#scrubber = new Scrubber(database, writer);
    this.#statements = prepareStatements(database);
  }

  count(agent?: string): Promise<number> {
    return reading(this.#database, () => this.#statements.count.get({ agent: agent ?? null }) as number);
  }

  read(query: CopyQuery): Promise<readonly RecordCopy[]> {
    return reading(this.#database, () => this.#page(query).map((row) => this.#copyOf(row)));
  }

  readFull(query: CopyQuery): Promise<readonly FullCopy[]> {
    return reading(this.#database, () => this.#page(query).map((row) => this.#fullCopyOf(row)));
  }

  write(copies: readonly IncomingCopy[], context: CopyContext): Promise<readonly CopyOutcome[]> {
    return this.#writer.run(() => copies.map((copy) => this.#write(copy, context)));
  }

  async mirror(copies: readonly FullCopy[]): Promise<readonly MirrorOutcome[]> {
    let erased = false;
    const outcomes = await this.#writer.run(() => {
      erased = false;
      return copies.map((copy): MirrorOutcome => {
        const row = this.#statements.byId.get(copy.id) as RecordRow | undefined;
        if (row !== undefined && isDeepStrictEqual(this.#fullCopyOf(row), copy)) return 'present';
        if (row !== undefined) this.#remove(row);
        erased ||= row?.forgotten_at === null && copy.forgottenAt !== null;
        this.#insert(copy, row?.rid);
        return row === undefined ? 'added' : 'replaced';
      });
    });
    // What was forgotten there since leaves no trace here either.
    if (erased) await this.#scrubber.run();
    return outcomes;
  }

  #page({ agent, after, limit }: CopyQuery): RecordRow[] {
    const query = { agent: agent ?? null, after: after ?? null, limit };
    return this.#statements.page.all(query) as RecordRow[];
  }

  #fullCopyOf(row: RecordRow): FullCopy {
    const stored = this.#statements.vectorOf.get(row.rid) as VectorRow | undefined;
    const vector = stored && fromBlob(stored.vector, stored.dimensions);
    return {
      ...this.#copyOf(row),
      keys: this.#statements.keysOf.all(row.rid) as KeyCopy[],
      ...defined({ embedding: vector && { model: stored!.id, vector } }),
    };
  }

  /** Its row number stays free for the record that replaces it. */
  #remove(row: RecordRow): void {
    if (row.forgotten_at === null) {
      this.#index.erase([{ ...row, user: userOf(row.user_id) }]);
      this.#vectors.rows.erase(row.rid);
      this.#counters.addFacts(toStored(row), -row.counted);
    }
    for (const each of this.#statements.remove) each.run(row.rid);
  }

  #copyOf(row: RecordRow): RecordCopy {
    const { rid: _, ...stored } = toStored(row);
    return copyOf(stored, this.#reader.earlierVersions(row));
  }

  #write(copy: IncomingCopy, context: CopyContext): CopyOutcome {
    const present = this.#statements.byId.get(copy.id) as RecordRow | undefined;
    const outcome = decideCopy(present && toStored(present), copy);
    if (outcome !== 'added' || context.dryRun) return outcome;
    this.#insert(copy);
    // Other processes learn from the event that there is something new to search.
    if (copy.forgottenAt === null) this.#events.write([wroteEvent(copy, copy.version, copy.change, context)]);
    return outcome;
  }

  #insert(copy: IncomingCopy & Partial<FullCopy>, number: number | null = null): void {
    const { embedding, earlier, keys = [], ...record } = copy;
    const isForgotten = record.forgottenAt !== null;
    const counted = Number(record.counted);
    const tags = JSON.stringify(record.tags);
    this.#counters.ensure(record, record.createdAt);
    const { lastInsertRowid } = this.#statements.insert.run({
      ...record,
      user: userColumn(record.user),
      rid: number,
      tags,
      metadata: JSON.stringify(record.metadata),
      pinned: Number(record.pinned),
      counted,
      digest: isForgotten ? noDigest() : recordDigest(record),
    });
    const rid = Number(lastInsertRowid);
    for (const { version, change, changedAt, changedBy, ...snapshot } of earlier) {
      this.#statements.keepVersion.run(rid, version, change, changedAt, changedBy, JSON.stringify(snapshot));
    }
    for (const { key, digest } of keys) {
      this.#statements.keepKey.run(record.agent, Buffer.from(key, 'hex'), rid, Buffer.from(digest, 'hex'));
    }
    if (isForgotten) return;
    this.#index.defer(rid, { ...record, tags });
    this.#vectors.rows.add({ ...record, rid }, embedding);
    this.#counters.addFacts(record, counted);
  }
}

function prepareStatements(database: Database) {
  const columns = `rid, id, agent, user_id, scope, source, category, confidence, content, tags, metadata, origin, pinned, thread,
    created_at, updated_at, valid_from, expires_at, expiry_reason, supersedes, superseded_by, forgotten_at, version,
    change, changed_by, access_count, accessed_at, injected_count, counted, digest`;
  return {
    byId: database.prepare(`SELECT ${RECORD_COLUMNS} FROM records r WHERE r.id = ?`),
    count: database.prepare('SELECT count(*) FROM records WHERE @agent IS NULL OR agent = @agent').pluck(),
    page: database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM records r
       WHERE r.rid > coalesce((SELECT rid FROM records WHERE id = @after), 0) AND (@agent IS NULL OR r.agent = @agent)
       ORDER BY r.rid LIMIT +@limit`,
    ),
    insert: database.prepare(
      `INSERT INTO records (${columns}) VALUES (@rid, @id, @agent, @user, @scope, @source, @category, @confidence, @content, @tags,
       @metadata, @origin, @pinned, @thread, @createdAt, @updatedAt, @validFrom, @expiresAt, @expiryReason, @supersedes,
       @supersededBy, @forgottenAt, @version, @change, @changedBy, @accessCount, @lastAccessedAt, @injectedCount,
       @counted, @digest)`,
    ),
    keepVersion: database.prepare('INSERT INTO record_versions VALUES (?, ?, ?, ?, ?, ?)'),
    keepKey: database.prepare(
      'INSERT OR IGNORE INTO record_keys (agent, key, rid, digest) VALUES (?, ?, ?, ?)',
    ),
    keysOf: database.prepare(
      'SELECT lower(hex(key)) AS key, lower(hex(digest)) AS digest FROM record_keys WHERE rid = ? ORDER BY key',
    ),
    vectorOf: database.prepare(
      `SELECT m.id, m.dimensions, v.vector FROM record_vectors v JOIN embedding_models m ON m.key = v.model
       WHERE v.rid = ?`,
    ),
    remove: ['record_keys', 'record_versions', 'records'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE rid = ?`),
    ),
  };
}
