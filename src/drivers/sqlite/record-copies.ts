/** Records as they are, out of the database and into it: for archives that lose nothing. */
import type { Database } from 'better-sqlite3';
import type { CopyOutcome, CopyQuery, RecordCopies, RecordCopy } from '../../ports/record-copies.ts';
import type { Embedding, WriteContext } from '../../ports/record-store.ts';
import { noDigest, recordDigest } from './digest.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { wroteEvent } from './record-events.ts';
import { RecordReader } from './record-reader.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';
import { Silos } from './silos.ts';
import type { TextIndex } from './text-index.ts';
import type { SqliteVectorStore } from './vectors/index.ts';

type Incoming = RecordCopy & { readonly embedding?: Embedding | undefined };
type Context = WriteContext & { readonly dryRun: boolean };

export class SqliteRecordCopies implements RecordCopies {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: SqliteEventStore;
  readonly #index: TextIndex;
  readonly #vectors: SqliteVectorStore;
  readonly #silos: Silos;
  readonly #reader: RecordReader;
  readonly #statements;

  constructor(
    database: Database,
    writer: GroupWriter,
    events: SqliteEventStore,
    index: TextIndex,
    vectors: SqliteVectorStore,
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
    this.#index = index;
    this.#vectors = vectors;
    this.#silos = new Silos(database);
    this.#reader = new RecordReader(database, index);
    this.#statements = prepareStatements(database);
  }

  count(agent?: string): Promise<number> {
    return reading(this.#database, () => this.#statements.count.get({ agent: agent ?? null }) as number);
  }

  read({ agent, after, limit }: CopyQuery): Promise<readonly RecordCopy[]> {
    return reading(this.#database, () => {
      const rows = this.#statements.page.all({ agent: agent ?? null, after: after ?? null, limit });
      return (rows as RecordRow[]).map((row) => this.#copyOf(row));
    });
  }

  write(copies: readonly Incoming[], context: Context): Promise<readonly CopyOutcome[]> {
    return this.#writer.run(() => copies.map((copy) => this.#write(copy, context)));
  }

  #copyOf(row: RecordRow): RecordCopy {
    const { state: _, ...record } = toRecord(row, row.created_at);
    return {
      ...record,
      expiryReason: row.expiry_reason,
      counted: row.counted === 1,
      change: row.change,
      changedBy: row.changed_by,
      earlier: this.#reader
        .history(row)
        .slice(0, -1)
        .map(({ id: _id, ...version }) => version),
    };
  }

  #write(copy: Incoming, context: Context): CopyOutcome {
    const present = this.#statements.byId.get(copy.id) as RecordRow | undefined;
    if (present !== undefined) return compare(present, copy);
    if (!context.dryRun) this.#insert(copy, context);
    return 'added';
  }

  #insert(copy: Incoming, context: WriteContext): void {
    const { embedding, earlier, ...record } = copy;
    const isForgotten = record.forgottenAt !== null;
    const counted = Number(record.counted);
    const tags = JSON.stringify(record.tags);
    this.#silos.ensure(record.agent, record.createdAt);
    const { lastInsertRowid } = this.#statements.insert.run({
      ...record,
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
    if (isForgotten) return;
    this.#index.add(rid, { ...record, tags });
    this.#vectors.rows.add({ ...record, rid }, embedding);
    this.#silos.addFacts(record.agent, counted);
    // Other processes learn from the event that there is something new to search.
    this.#events.write([wroteEvent(record, record.version, record.change, context)]);
  }
}

function compare(present: RecordRow, copy: RecordCopy): CopyOutcome {
  if (present.forgotten_at !== null) return copy.forgottenAt === null ? 'forgotten' : 'present';
  const isSame =
    copy.forgottenAt === null &&
    present.version === copy.version &&
    present.updated_at === copy.updatedAt &&
    present.content === copy.content &&
    present.agent === copy.agent;
  return isSame ? 'present' : 'differs';
}

function prepareStatements(database: Database) {
  const columns = `id, agent, scope, source, category, confidence, content, tags, metadata, origin, pinned, thread,
    created_at, updated_at, valid_from, expires_at, expiry_reason, supersedes, superseded_by, forgotten_at, version,
    change, changed_by, access_count, accessed_at, injected_count, counted, digest`;
  return {
    byId: database.prepare(`SELECT ${RECORD_COLUMNS} FROM records r WHERE r.id = ?`),
    count: database.prepare('SELECT count(*) FROM records WHERE @agent IS NULL OR agent = @agent').pluck(),
    page: database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM records r
       WHERE r.rid > coalesce((SELECT rid FROM records WHERE id = @after), 0) AND (@agent IS NULL OR r.agent = @agent)
       ORDER BY r.rid LIMIT @limit`,
    ),
    insert: database.prepare(
      `INSERT INTO records (${columns}) VALUES (@id, @agent, @scope, @source, @category, @confidence, @content, @tags,
       @metadata, @origin, @pinned, @thread, @createdAt, @updatedAt, @validFrom, @expiresAt, @expiryReason, @supersedes,
       @supersededBy, @forgottenAt, @version, @change, @changedBy, @accessCount, @lastAccessedAt, @injectedCount,
       @counted, @digest)`,
    ),
    keepVersion: database.prepare('INSERT INTO record_versions VALUES (?, ?, ?, ?, ?, ?)'),
  };
}
