/** The working state of swarm runs in Postgres: whole documents, each change in a transaction that holds the transaction of runs. */
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
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Listener } from './listener.ts';
import { type Asking, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

const STATES = 'states';

export class PostgresStateStore implements StateStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #signal: ChangeSignal;

  constructor(database: Database, writer: GroupWriter, listener: Listener) {
    this.#database = database;
    this.#writer = writer;
    this.#signal = new ChangeSignal(listener, STATES);
  }

  create(draft: StateDraft): Promise<StateSnapshot> {
    return this.#writer.run(async (transaction) => {
      const { state, text, change } = decideCreate(await stateOf(transaction, draft.run), draft);
      await transaction.run(
        sql`INSERT INTO states (run, version, document, updated_at, lease_until)
            VALUES (${state.run}, ${state.version}, ${text}, ${state.updatedAt}, ${state.leaseUntil})`,
      );
      await note(transaction, { ...draft, op: 'create', path: '' }, change);
      return state;
    });
  }

  read(run: string): Promise<StateSnapshot | null> {
    return stateOf(this.#database, run);
  }

  edit(edit: StateEdit): Promise<number> {
    return this.#writer.run((transaction) => changeState(transaction, edit));
  }

  async changes({ run, after, limit }: { run: string; after: number; limit: number }) {
    const rows = await this.#database.rows<ChangeRow>(
      sql`SELECT run, version, at, author, op, path, value FROM state_changes
          WHERE run = ${run} AND version > ${after} ORDER BY version LIMIT ${limit}`,
    );
    return rows.map(toChange);
  }

  async *watch({ run, after, signal }: { run: string; after: number; signal?: AbortSignal | undefined }) {
    const news = this.#signal.follow(signal);
    try {
      yield* followPages<StateChange>({
        ...{ after, signal },
        read: async (last, limit) => ({
          items: await this.changes({ run, after: last, limit }),
          isLast: async () => (await stateOf(this.#database, run)) === null,
        }),
        numberOf: ({ version }) => version,
        news: () => news.next(),
        isClosed: () => this.#database.isClosed,
      });
    } finally {
      news.stop();
    }
  }

  async touch(run: string, leaseUntil: number): Promise<void> {
    await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE states SET lease_until = GREATEST(lease_until, ${leaseUntil}) WHERE run = ${run}`,
      ),
    );
  }

  async remove(run: string): Promise<boolean> {
    return this.#writer.run(async (transaction) => (await removeStates(transaction, [run])) > 0);
  }

  sweep(now: number): Promise<readonly string[]> {
    return this.#writer.run(async (transaction) => {
      const expired = await transaction.rows<{ run: string }>(
        sql`SELECT run FROM states WHERE lease_until < ${now} ORDER BY run COLLATE "C"`,
      );
      const runs = expired.map(({ run }) => run);
      await removeStates(transaction, runs);
      return runs;
    });
  }
}

async function stateOf(session: Asking, run: string): Promise<StateSnapshot | null> {
  const row = await session.row<StateRow>(
    sql`SELECT version, document, updated_at, lease_until FROM states WHERE run = ${run}`,
  );
  return toState(run, row);
}

async function changeState(transaction: WriteTransaction, edit: StateEdit): Promise<number> {
  const { state, text, change } = decideEdit(await stateOf(transaction, edit.run), edit);
  await transaction.run(
    sql`UPDATE states SET version = ${state.version}, document = ${text}, updated_at = ${state.updatedAt},
          lease_until = ${state.leaseUntil} WHERE run = ${state.run}`,
  );
  await note(transaction, edit, change);
  return state.version;
}

async function note(
  transaction: WriteTransaction,
  { run, at, by, op, path }: Omit<StateChange, 'version'>,
  change: FeedEntry,
): Promise<void> {
  await transaction.run(
    sql`INSERT INTO state_changes (run, version, at, author, op, path, value)
        VALUES (${run}, ${change.version}, ${at}, ${by}, ${op}, ${path}, ${change.value})`,
  );
  if (change.dropUpTo > 0)
    await transaction.run(
      sql`DELETE FROM state_changes WHERE run = ${run} AND version <= ${change.dropUpTo}`,
    );
  transaction.tell(STATES);
}

async function removeStates(transaction: WriteTransaction, runs: readonly string[]): Promise<number> {
  if (runs.length === 0) return 0;
  transaction.tell(STATES);
  return transaction.run(
    sql`WITH changes AS (DELETE FROM state_changes WHERE run = ANY(${runs}::text[]))
        DELETE FROM states WHERE run = ANY(${runs}::text[])`,
  );
}
