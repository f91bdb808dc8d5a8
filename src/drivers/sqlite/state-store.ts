/** The working state of swarm runs in SQLite: whole documents, each change in a transaction that holds the write lock. */

import type { Database } from 'better-sqlite3';
import type {
  StateChange,
  StateDraft,
  StateEdit,
  StateSnapshot,
  StateStore,
} from '../../ports/state-store.ts';
import type { FeedEntry } from '../../working/rules/change-feed.ts';
import { decideCreate, decideEdit } from '../../working/rules/decide-state.ts';
import { followPages } from '../common/follow-pages.ts';
import { type ChangeRow, type StateRow, toChange, toState } from '../common/state-rows.ts';
import { ChangeSignal } from './change-signal.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

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

  create(draft: StateDraft): Promise<StateSnapshot> {
    return this.#writer.run(() => {
      const { state, text, change } = decideCreate(this.#stateOf(draft.run), draft);
      this.#statements.insert.run(state.run, state.version, text, state.updatedAt, state.leaseUntil);
      this.#note({ ...draft, op: 'create', path: '' }, change);
      return state;
    });
  }

  read(run: string): Promise<StateSnapshot | null> {
    return reading(this.#database, () => this.#stateOf(run));
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

  watch({ run, after, signal }: { run: string; after: number; signal?: AbortSignal | undefined }) {
    return followPages<StateChange>({
      ...{ after, signal },
      read: async (last, limit) => ({
        items: await this.changes({ run, after: last, limit }),
        isLast: () => this.#row(run) === undefined,
      }),
      numberOf: ({ version }) => version,
      news: () => this.#signal.next(signal),
      isClosed: () => !this.#database.open,
    });
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
    const { state, text, change } = decideEdit(this.#stateOf(edit.run), edit);
    this.#statements.update.run(state.version, text, state.updatedAt, state.leaseUntil, state.run);
    this.#note(edit, change);
    return state.version;
  }

  #note({ run, at, by, op, path }: Omit<StateChange, 'version'>, change: FeedEntry): void {
    this.#statements.note.run(run, change.version, at, by, op, path, change.value);
    if (change.dropUpTo > 0) this.#statements.trim.run(run, change.dropUpTo);
  }

  #remove(run: string): boolean {
    this.#statements.forgetChanges.run(run);
    return this.#statements.remove.run(run).changes > 0;
  }

  #stateOf(run: string): StateSnapshot | null {
    return toState(run, this.#row(run));
  }

  #row(run: string): StateRow | undefined {
    return this.#statements.read.get(run) as StateRow | undefined;
  }
}

function prepareStatements(database: Database) {
  return {
    read: database.prepare('SELECT version, document, updated_at, lease_until FROM states WHERE run = ?'),
    insert: database.prepare(
      'INSERT INTO states (run, version, document, updated_at, lease_until) VALUES (?, ?, ?, ?, ?)',
    ),
    update: database.prepare(
      'UPDATE states SET version = ?, document = ?, updated_at = ?, lease_until = ? WHERE run = ?',
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
