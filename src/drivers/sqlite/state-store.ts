/** The working state of swarm runs in SQLite: whole documents, each change in a transaction that holds the write lock. */

import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { noState, otherVersion, tooLarge } from '../../kernel/state-errors.ts';
import type {
  StateChange,
  StateDraft,
  StateEdit,
  StateOperation,
  StateSnapshot,
  StateStore,
} from '../../ports/state-store.ts';
import { ChangeSignal } from './change-signal.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

interface StateRow {
  readonly version: number;
  readonly document: string;
  readonly updated_at: number;
  readonly lease_until: number;
}

interface ChangeRow {
  readonly run: string;
  readonly version: number;
  readonly at: number;
  readonly author: string;
  readonly op: string;
  readonly path: string;
  readonly value: string | null;
}

/** Larger values are not repeated in the feed: whoever wants them reads the document. */
const MAX_FEED_VALUE = 8_192;
/** How many changes of a run the feed goes back. */
const MAX_FEED = 10_000;
const PAGE = 500;

export class SqliteStateStore implements StateStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #signal = new ChangeSignal();
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  create({ run, document, at, by, leaseUntil }: StateDraft): Promise<StateSnapshot> {
    return this.#writer.run(() => {
      if (this.#row(run) !== undefined) {
        throw new KeepsakeError('CONFLICT', `The run ${run} has a working state already.`, {
          hint: 'Change it, or begin another run.',
        });
      }
      this.#statements.insert.run(run, JSON.stringify(document), at, leaseUntil);
      this.#note({ run, at, by, op: 'create', path: '', value: document }, 1);
      return { run, version: 1, document, updatedAt: at, leaseUntil };
    });
  }

  read(run: string): Promise<StateSnapshot | null> {
    return reading(this.#database, () => {
      const row = this.#row(run);
      if (row === undefined) return null;
      const { version, document, updated_at: updatedAt, lease_until: leaseUntil } = row;
      return { run, version, document: JSON.parse(document) as JsonObject, updatedAt, leaseUntil };
    });
  }

  async edit(edit: StateEdit): Promise<number> {
    const version = await this.#writer.run(() => this.#edit(edit));
    this.#signal.beat();
    return version;
  }

  changes({ run, after, limit }: { run: string; after: number; limit: number }) {
    return reading(this.#database, () =>
      (this.#statements.changes.all(run, after, limit) as ChangeRow[]).map(toChange),
    );
  }

  async *watch(query: { run: string; after: number; signal?: AbortSignal | undefined }) {
    const { run, signal } = query;
    let { after } = query;
    while (this.#database.open && signal?.aborted !== true) {
      const page = await this.changes({ run, after, limit: PAGE });
      for (const change of page) {
        after = change.version;
        yield change;
        if (signal?.aborted) return;
      }
      if (page.length > 0) continue;
      if (!this.#database.open || this.#row(run) === undefined) return;
      await this.#signal.next(signal);
    }
  }

  touch(run: string, leaseUntil: number): Promise<void> {
    return this.#writer.run(() => void this.#statements.touch.run(leaseUntil, run));
  }

  async remove(run: string): Promise<boolean> {
    const removed = await this.#writer.run(() => this.#remove(run));
    this.#signal.beat();
    return removed;
  }

  sweep(now: number): Promise<readonly string[]> {
    return this.#writer.run(() => {
      const runs = this.#statements.expired.all(now) as string[];
      for (const run of runs) this.#remove(run);
      return runs;
    });
  }

  #edit(edit: StateEdit): number {
    const { run, at, leaseUntil, ifVersion, keys, maxBytes } = edit;
    const row = this.#row(run);
    if (row === undefined) throw noState(run);
    if (ifVersion !== undefined && ifVersion !== row.version) throw otherVersion(run, ifVersion, row.version);
    const before = JSON.parse(row.document) as JsonObject;
    const part = edit.apply(before);
    const document = keys === null ? part : withKeys(before, keys, part);
    const text = JSON.stringify(document);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) throw tooLarge(run, bytes, maxBytes);
    const version = row.version + 1;
    this.#statements.update.run(version, text, at, leaseUntil, run);
    this.#note(edit, version);
    return version;
  }

  #note({ run, at, by, op, path, value }: Omit<StateChange, 'version'>, version: number): void {
    const text = value === undefined ? null : JSON.stringify(value);
    const kept = text !== null && text.length <= MAX_FEED_VALUE ? text : null;
    this.#statements.note.run(run, version, at, by, op, path, kept);
    if (version > MAX_FEED) this.#statements.trim.run(run, version - MAX_FEED);
  }

  #remove(run: string): boolean {
    this.#statements.forgetChanges.run(run);
    return this.#statements.remove.run(run).changes > 0;
  }

  #row(run: string): StateRow | undefined {
    return this.#statements.read.get(run) as StateRow | undefined;
  }
}

function withKeys(before: JsonObject, keys: readonly string[], part: JsonObject): JsonObject {
  const document = { ...before };
  for (const key of keys) {
    if (Object.hasOwn(part, key)) document[key] = part[key]!;
    else delete document[key];
  }
  return document;
}

function toChange({ author: by, op, value, ...row }: ChangeRow): StateChange {
  const given = value === null ? {} : { value: JSON.parse(value) as JsonValue };
  return { ...row, by, op: op as StateOperation, ...given };
}

function prepareStatements(database: Database) {
  return {
    read: database.prepare('SELECT version, document, updated_at, lease_until FROM states WHERE run = ?'),
    insert: database.prepare(
      'INSERT INTO states (run, version, document, updated_at, lease_until) VALUES (?, 1, ?, ?, ?)',
    ),
    update: database.prepare(
      `UPDATE states SET version = ?, document = ?, updated_at = ?, lease_until = max(lease_until, ?) WHERE run = ?`,
    ),
    touch: database.prepare('UPDATE states SET lease_until = max(lease_until, ?) WHERE run = ?'),
    remove: database.prepare('DELETE FROM states WHERE run = ?'),
    expired: database.prepare('SELECT run FROM states WHERE lease_until < ? ORDER BY run').pluck(),
    note: database.prepare(
      'INSERT INTO state_changes (run, version, at, author, op, path, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    trim: database.prepare('DELETE FROM state_changes WHERE run = ? AND version <= ?'),
    forgetChanges: database.prepare('DELETE FROM state_changes WHERE run = ?'),
    changes: database.prepare(
      'SELECT * FROM state_changes WHERE run = ? AND version > ? ORDER BY version LIMIT +?',
    ),
  };
}
