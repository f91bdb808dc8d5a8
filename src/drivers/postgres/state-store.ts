/** The working state of swarm runs in Postgres: whole documents, each change in a transaction that holds the transaction of runs. */
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
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Listener } from './listener.ts';
import { type Asking, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

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

  create({ run, document, at, by, leaseUntil }: StateDraft): Promise<StateSnapshot> {
    return this.#writer.run(async (transaction) => {
      if ((await stateOf(transaction, run)) !== undefined) {
        throw new KeepsakeError('CONFLICT', `The run ${run} has a working state already.`, {
          hint: 'Change it, or begin another run.',
        });
      }
      await transaction.run(
        sql`INSERT INTO states (run, version, document, updated_at, lease_until)
            VALUES (${run}, 1, ${JSON.stringify(document)}, ${at}, ${leaseUntil})`,
      );
      await note(transaction, { run, at, by, op: 'create', path: '', value: document }, 1);
      return { run, version: 1, document, updatedAt: at, leaseUntil };
    });
  }

  async read(run: string): Promise<StateSnapshot | null> {
    const row = await stateOf(this.#database, run);
    if (row === undefined) return null;
    const { version, document, updated_at: updatedAt, lease_until: leaseUntil } = row;
    return { run, version, document: JSON.parse(document) as JsonObject, updatedAt, leaseUntil };
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

  async *watch(query: { run: string; after: number; signal?: AbortSignal | undefined }) {
    const { run, signal } = query;
    let { after } = query;
    const news = this.#signal.follow(signal);
    try {
      while (!this.#database.isClosed && signal?.aborted !== true) {
        const page = await this.changes({ run, after, limit: PAGE });
        for (const change of page) {
          after = change.version;
          yield change;
          if (signal?.aborted) return;
        }
        if (page.length > 0) continue;
        if (this.#database.isClosed || (await stateOf(this.#database, run)) === undefined) return;
        await news.next();
      }
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

function stateOf(session: Asking, run: string): Promise<StateRow | undefined> {
  return session.row<StateRow>(
    sql`SELECT version, document, updated_at, lease_until FROM states WHERE run = ${run}`,
  );
}

async function changeState(transaction: WriteTransaction, edit: StateEdit): Promise<number> {
  const { run, at, leaseUntil, ifVersion, keys, maxBytes } = edit;
  const row = await stateOf(transaction, run);
  if (row === undefined) throw noState(run);
  if (ifVersion !== undefined && ifVersion !== row.version) throw otherVersion(run, ifVersion, row.version);
  const before = JSON.parse(row.document) as JsonObject;
  const part = edit.apply(before);
  const document = keys === null ? part : withKeys(before, keys, part);
  const text = JSON.stringify(document);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) throw tooLarge(run, bytes, maxBytes);
  const version = row.version + 1;
  await transaction.run(
    sql`UPDATE states SET version = ${version}, document = ${text}, updated_at = ${at},
          lease_until = GREATEST(lease_until, ${leaseUntil}) WHERE run = ${run}`,
  );
  await note(transaction, edit, version);
  return version;
}

async function note(
  transaction: WriteTransaction,
  change: Omit<StateChange, 'version'>,
  version: number,
): Promise<void> {
  const { run, at, by, op, path, value } = change;
  const text = value === undefined ? null : JSON.stringify(value);
  const kept = text !== null && text.length <= MAX_FEED_VALUE ? text : null;
  await transaction.run(
    sql`INSERT INTO state_changes (run, version, at, author, op, path, value)
        VALUES (${run}, ${version}, ${at}, ${by}, ${op}, ${path}, ${kept})`,
  );
  if (version > MAX_FEED)
    await transaction.run(
      sql`DELETE FROM state_changes WHERE run = ${run} AND version <= ${version - MAX_FEED}`,
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
