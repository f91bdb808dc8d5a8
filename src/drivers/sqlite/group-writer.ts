/** Group commit: all writes asked for in one tick share one transaction, and each is acknowledged after its commit. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { closed } from '../common/closed.ts';
import { whileBusy } from './busy.ts';
import { translate } from './errors.ts';
import { rememberWhereabouts } from './whereabouts.ts';

/** A part of the engine that collects what several jobs of a group write, and writes it once. */
export interface Deferring {
  /** Writes what was collected. */
  settle(): void;
  /** Forgets what was collected: the transaction is rolled back. */
  discard(): void;
}

export interface JobOptions {
  /** This job reads nothing of what others have deferred but through the parts that hold it. */
  readonly joins?: boolean;
}

interface Job extends JobOptions {
  /** Must be repeatable: it runs again when a neighbour in its group fails. */
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A group holds the write lock; more than this at once would keep other processes waiting. */
const MAX_GROUP = 512;

export class GroupWriter {
  readonly #database: Database;
  /** As errors name it; a database in memory has no name. */
  readonly #file: string;
  readonly #busyTimeoutMs: number;
  readonly #checkWhereabouts: () => void;
  #queue: Job[] = [];
  readonly #interludes: (() => void)[] = [];
  readonly #deferring: Deferring[] = [];
  readonly #afterCommit: (() => void)[] = [];
  readonly #begins;
  readonly #commits;
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(database: Database, busyTimeoutMs: number, file: string = database.name) {
    this.#file = file;
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#begins = database.prepare('BEGIN IMMEDIATE');
    this.#commits = database.prepare('COMMIT');
    this.#checkWhereabouts = rememberWhereabouts(database.name);
  }

  /** What the part collects is written before the commit, and before any job that does not join. */
  register(part: Deferring): void {
    this.#deferring.push(part);
  }

  /** Called whenever a group is on disk. */
  onCommit(committed: () => void): void {
    this.#afterCommit.push(committed);
  }

  /** Runs `work` inside a transaction that holds the write lock; resolves when it is on disk. */
  run<T>(work: () => T, { joins = false }: JobOptions = {}): Promise<T> {
    if (this.#closed) {
      return Promise.reject(closed());
    }
    // A copy in memory, because the file system is read-only.
    if (this.#database.memory && this.#file !== this.#database.name) {
      return Promise.reject(
        new KeepsakeError('PERMISSION', `${this.#file} is on a read-only file system; it can only be read.`, {
          hint: 'Copy the workspace to a file system that can be written.',
        }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, joins, resolve: resolve as (value: unknown) => void, reject });
      this.#wake();
    });
  }

  /** Runs `work` when this connection is between two transactions, as a checkpoint needs it. */
  between<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#interludes.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(translate(error, this.#file));
        }
      });
      this.#wake();
    });
  }

  /** Waits for what was asked for and refuses the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#draining !== undefined) await this.#draining;
  }

  #wake(): void {
    this.#draining ??= new Promise<void>((done) => setImmediate(() => this.#drain().then(done)));
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0 || this.#interludes.length > 0) {
      for (const interlude of this.#interludes.splice(0)) interlude();
      const group = this.#queue.splice(0, MAX_GROUP);
      if (group.length === 0) continue;
      try {
        const outcomes = await this.#commit(group);
        this.#checkWhereabouts();
        for (const committed of this.#afterCommit) committed();
        group.forEach((job, i) => {
          const outcome = outcomes[i]!;
          if ('value' in outcome) job.resolve(outcome.value);
          else job.reject(outcome.error);
        });
      } catch (error) {
        const reason = translate(error, this.#file);
        for (const job of group) job.reject(reason);
      }
    }
    this.#draining = undefined;
  }

  async #commit(group: readonly Job[]): Promise<Outcome[]> {
    // A job that fails must not undo its neighbours. Savepoints cost time for all, failures are rare: so the group first
    // runs without them, and only a group with a failure runs again with one around each job.
    await this.#begin();
    try {
      return this.#finish(() => group.map((job) => ({ value: this.#work(job) })));
    } catch {
      await this.#begin();
      return this.#finish(() => group.map((job) => this.#guarded(job)));
    }
  }

  #work({ work, joins }: Job): unknown {
    if (!joins) this.#settle();
    return work();
  }

  #settle(): void {
    for (const part of this.#deferring) part.settle();
  }

  #begin(): Promise<unknown> {
    return whileBusy(this.#busyTimeoutMs, () => this.#begins.run());
  }

  #finish<T>(body: () => T): T {
    try {
      const result = body();
      this.#settle();
      this.#commits.run();
      return result;
    } catch (error) {
      for (const part of this.#deferring) part.discard();
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #guarded(job: Job): Outcome {
    this.#database.exec('SAVEPOINT job');
    try {
      const value = job.work();
      this.#settle();
      this.#database.exec('RELEASE job');
      return { value };
    } catch (error) {
      for (const part of this.#deferring) part.discard();
      // A full disk may already have rolled the whole transaction back; then no job of the group was written.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec('ROLLBACK TO job; RELEASE job');
      return { error: translate(error, this.#file) };
    }
  }
}
