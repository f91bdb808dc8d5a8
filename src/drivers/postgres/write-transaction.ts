/** A write transaction: holds the lock of its writer, gives out numbers without gaps, and collects what is written in bulk at its end. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Session } from './session.ts';
import { type Sql, sql } from './sql.ts';

/** Writers exclude each other by name: memory and runs are numbered, and locked, separately. */
export type WriterName = 'memory' | 'runs';

/** Writes many things at once, when the transaction ends. */
export type Deferred<Item> = (transaction: WriteTransaction, items: readonly Item[]) => Promise<void>;

/** The counter that says how many steps the schema has taken; upgrades set it. */
export const SCHEMA_VERSION = 'schema';

function upgraded(found: number, known: number): KeepsakeError {
  return new KeepsakeError(
    'TOO_NEW',
    `The database was upgraded by a newer Keepsake (schema ${found}; this process knows up to ${known}). Nothing was written.`,
    {
      hint: 'Install the newer version of Keepsake for this process, and restart it.',
      details: { found, known },
    },
  );
}

/** What a job has changed besides the database, to be able to take it back. */
interface Mark {
  readonly counters: Readonly<Record<string, number>>;
  readonly pending: ReadonlyMap<Deferred<never>, number>;
  readonly news: readonly (readonly [string, string])[];
}

export class WriteTransaction {
  readonly session: Session;
  readonly #name: WriterName;
  #counters: Record<string, number>;
  readonly #pending = new Map<Deferred<never>, never[]>();
  /** What it is about → a word about it; the last one counts. */
  readonly #news = new Map<string, string>();
  readonly #known = new Map<string, unknown>();

  private constructor(session: Session, name: WriterName, counters: Record<string, number>) {
    this.session = session;
    this.#name = name;
    this.#counters = counters;
  }

  /** Waits until no other transaction of this name is open. Refuses a schema that became newer than `schemaVersion`. */
  static async enter(session: Session, name: WriterName, schemaVersion: number): Promise<WriteTransaction> {
    const row = await session.row<{ counters: string }>(
      sql`SELECT counters FROM lanes WHERE name = ${name} FOR UPDATE`,
    );
    const counters = JSON.parse(row!.counters) as Record<string, number>;
    // The version is part of the row that the lock is for, so that whoever waited for an upgrade sees what it did.
    const version = counters[SCHEMA_VERSION] ?? 0;
    if (version > schemaVersion) throw upgraded(version, schemaVersion);
    return new WriteTransaction(session, name, counters);
  }

  rows<Row>(query: Sql): Promise<Row[]> {
    return this.session.rows(query);
  }

  row<Row>(query: Sql): Promise<Row | undefined> {
    return this.session.row(query);
  }

  run(query: Sql): Promise<number> {
    return this.session.run(query);
  }

  /** The next number: none is left out, and none is used twice. */
  next(counter: string): number {
    return this.count(counter, 1);
  }

  count(counter: string, difference: number): number {
    return this.set(counter, (this.#counters[counter] ?? 0) + difference);
  }

  set(counter: string, value: number): number {
    this.#counters[counter] = value;
    return value;
  }

  defer<Item>(write: Deferred<Item>, items: readonly Item[]): void {
    const list = this.#pending.get(write as Deferred<never>) ?? [];
    this.#pending.set(write as Deferred<never>, list);
    (list as Item[]).push(...items);
  }

  /** Other processes hear of it after the commit. */
  tell(topic: string, detail = ''): void {
    this.#news.set(topic, detail);
  }

  get news(): ReadonlyMap<string, string> {
    return this.#news;
  }

  /** What was looked up once in this transaction and is the same until its end. */
  async known<T>(name: string, look: () => Promise<T>): Promise<T> {
    if (!this.#known.has(name)) this.#known.set(name, await look());
    return this.#known.get(name) as T;
  }

  /** For a job that must find in the database what was put off. */
  async flush(): Promise<void> {
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [write, items] of pending) if (items.length > 0) await write(this, items);
  }

  /** The last thing before the commit. */
  async finish(channel: string): Promise<void> {
    await this.flush();
    const counters = JSON.stringify(this.#counters);
    const news = [...this.#news].map(([topic, detail]) => `${topic}:${detail}`);
    await this.run(
      sql`WITH counted AS (UPDATE lanes SET counters = ${counters} WHERE name = ${this.#name})
          SELECT pg_notify(${channel}, news) FROM unnest(${news}::text[]) AS news`,
    );
  }

  /** Runs one job so that its failure undoes it alone. */
  async guarded<T>(job: () => Promise<T>): Promise<T> {
    await this.flush();
    await this.session.command('SAVEPOINT job');
    const mark = this.#mark();
    try {
      const result = await job();
      // What it put off belongs to it: a failure later would undo others.
      await this.flush();
      await this.session.command('RELEASE job');
      return result;
    } catch (error) {
      await this.session.command('ROLLBACK TO job; RELEASE job');
      this.#goBack(mark);
      throw error;
    }
  }

  #mark(): Mark {
    const pending = new Map([...this.#pending].map(([write, items]) => [write, items.length]));
    return { counters: { ...this.#counters }, pending, news: [...this.#news] };
  }

  #goBack({ counters, pending, news }: Mark): void {
    this.#counters = { ...counters };
    for (const [write, items] of this.#pending) items.length = pending.get(write) ?? 0;
    this.#known.clear();
    this.#news.clear();
    for (const [topic, detail] of news) this.#news.set(topic, detail);
  }
}
