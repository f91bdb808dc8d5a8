/** Group commit: all waiting writes share one transaction, and each is acknowledged after its commit. */

import { closed } from '../common/closed.ts';
import type { Database } from './database.ts';
import { isLost, translate } from './errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { type WriterName, WriteTransaction } from './write-transaction.ts';

/** Must be repeatable: it runs again when a neighbour in its group fails. */
type Work<T> = (transaction: WriteTransaction) => Promise<T>;

interface Job {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A group holds the write lock; more than this at once would keep other processes waiting. */
const MAX_GROUP = 128;

/** The server ends a writer that stands still for so long inside of its transaction; all others wait for its lock. */
const IDLE_MS = 1_200;

export class GroupWriter {
  readonly #database: Database;
  readonly #name: WriterName;
  readonly #channel: string;
  readonly #begin: string;
  readonly #afterCommit: ((news: ReadonlyMap<string, string>) => void)[] = [];
  #queue: Job[] = [];
  #draining: Promise<void> | undefined;
  #isClosed = false;

  /** `isPatient`: waits for the lock as long as it takes, as an upgrade does behind that of another process. */
  constructor(database: Database, name: WriterName, channel: string, { isPatient = false } = {}) {
    this.#database = database;
    this.#name = name;
    this.#channel = channel;
    const isSet = database.address.options.includes('idle_in_transaction_session_timeout=');
    const begin = isSet ? 'BEGIN' : `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`;
    this.#begin = isPatient ? `${begin}; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0` : begin;
  }

  /** Called with what a group had to tell whenever one is on disk. */
  onCommit(committed: (news: ReadonlyMap<string, string>) => void): void {
    this.#afterCommit.push(committed);
  }

  /** Runs `work` inside the write transaction; resolves when it is on disk. */
  run<T>(work: Work<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= new Promise<void>((done) => setImmediate(() => this.#drain().then(done)));
    });
  }

  /** Waits for what was asked for and refuses the rest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, MAX_GROUP);
      try {
        const outcomes = await this.#commit(group);
        group.forEach((job, i) => {
          const outcome = outcomes[i]!;
          if ('value' in outcome) job.resolve(outcome.value);
          else job.reject(outcome.error);
        });
      } catch (error) {
        // Who waits behind a call that got no answer need not wait for the same again.
        const lost = isLost(error) ? this.#queue.splice(0) : [];
        for (const job of [...group, ...lost]) job.reject(error);
      }
    }
    this.#draining = undefined;
  }

  async #commit(group: readonly Job[]): Promise<Outcome[]> {
    // A job that fails must not undo its neighbours. Savepoints cost time for all, failures are rare: so the group first
    // runs without them, and only a group with a failure runs again with one around each job.
    try {
      return await this.#transaction(async (transaction) => {
        const outcomes: Outcome[] = [];
        for (const { work } of group) outcomes.push({ value: await work(transaction) });
        return outcomes;
      });
    } catch (error) {
      if (group.length === 1 || isLost(error)) throw error;
    }
    return this.#transaction(async (transaction) => {
      const outcomes: Outcome[] = [];
      for (const { work } of group) outcomes.push(await this.#attempt(transaction, work));
      return outcomes;
    });
  }

  async #transaction<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const { result, news } = await this.#database.transaction(
      async (session) => {
        const transaction = await WriteTransaction.enter(session, this.#name, MIGRATIONS.length);
        const made = await work(transaction);
        await transaction.finish(this.#channel);
        return { result: made, news: transaction.news };
      },
      { keepsPlans: true, begin: this.#begin },
    );
    for (const committed of this.#afterCommit) committed(news);
    return result;
  }

  async #attempt(transaction: WriteTransaction, work: Work<unknown>): Promise<Outcome> {
    try {
      return { value: await transaction.guarded(() => work(transaction)) };
    } catch (error) {
      // Then no job of the group was written.
      if (isLost(error)) throw error;
      return { error: translate(error, this.#database.address.place) };
    }
  }
}
