/** The quarantine in SQLite: limited in size, each write once, erased when deleted. */
import type { Database } from 'better-sqlite3';
import { newEntry } from '../../guard/rules/quarantine.ts';
import type { KeepsakeEvent } from '../../kernel/events.ts';
import type {
  BlockedDraft,
  QuarantineEntry,
  QuarantineLimits,
  QuarantineQuery,
  QuarantineStore,
  RefusedWrite,
} from '../../ports/quarantine-store.ts';
import { noDigest } from '../common/digest.ts';
import { oldestKept, type QuarantineRow, toEntry, toRow } from '../common/quarantine-rows.ts';
import { storedJson } from '../common/stored-json.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { Scrubber } from './scrubber.ts';

/** Reasons are a list as JSON. */
type Row = QuarantineRow & { readonly reasons: string };

const INSERT = `INSERT INTO quarantine (id, digest, agent, user_id, at, last_at, times, via, session, verb, category, origin, reasons,
    input, content, released_at, released_by, released_as)
  VALUES (@id, @digest, @agent, @user_id, @at, @last_at, @times, @via, @session, @verb, @category, @origin, @reasons,
    @input, @content, @released_at, @released_by, @released_as)`;
const REPLACE = `ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, last_at = excluded.last_at, times = excluded.times,
    input = excluded.input, content = excluded.content, released_at = excluded.released_at,
    released_by = excluded.released_by, released_as = excluded.released_as`;

export class SqliteQuarantineStore implements QuarantineStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: SqliteEventStore;
  readonly #scrubber: Scrubber;

  constructor(database: Database, writer: GroupWriter, events: SqliteEventStore) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
    this.#scrubber = new Scrubber(database, writer);
  }

  put(
    write: RefusedWrite,
    event: BlockedDraft,
    limits: QuarantineLimits,
  ): Promise<{ id: string; events: readonly KeepsakeEvent[] }> {
    return this.#writer.run(() => {
      const id = this.#keep(write);
      this.#trim(limits);
      return { id, events: this.#events.write([{ ...event, quarantineId: id }]) };
    });
  }

  get(id: string): Promise<QuarantineEntry | null> {
    return reading(this.#database, () => {
      const row = this.#database.prepare('SELECT * FROM quarantine WHERE id = ?').get(id);
      return row === undefined ? null : readEntry(row as Row);
    });
  }

  list({ agent, states, limit, after }: QuarantineQuery): Promise<readonly QuarantineEntry[]> {
    const conditions = [
      `CASE WHEN released_at IS NULL THEN 'waiting' ELSE 'released' END IN (${states.map(() => '?').join(', ')})`,
    ];
    const values: (string | number)[] = [...states];
    if (agent !== undefined) {
      conditions.push('agent = ?');
      values.push(agent);
    }
    if (after !== undefined) {
      conditions.push('qid < (SELECT qid FROM quarantine WHERE id = ?)');
      values.push(after);
    }
    return reading(this.#database, () => {
      const rows = this.#database
        .prepare(`SELECT * FROM quarantine WHERE ${conditions.join(' AND ')} ORDER BY qid DESC LIMIT +?`)
        .all(...values, limit) as Row[];
      return rows.map(readEntry);
    });
  }

  async release(id: string, mark: { at: number; by: string; as: string }): Promise<boolean> {
    const released = await this.#writer.run(
      () =>
        this.#database
          .prepare(
            `UPDATE quarantine SET released_at = ?, released_by = ?, released_as = ?, input = NULL, content = NULL, digest = ?
             WHERE id = ? AND released_at IS NULL`,
          )
          .run(mark.at, mark.by, mark.as, noDigest(), id).changes > 0,
    );
    return released;
  }

  mirror(entries: readonly QuarantineEntry[]): Promise<void> {
    return this.#writer.run(() => {
      for (const entry of entries) this.#put(entry, REPLACE);
    });
  }

  async remove(id: string): Promise<{ journalErased: boolean; pagesErased: boolean } | null> {
    const found = await this.#writer.run(
      () => this.#database.prepare('DELETE FROM quarantine WHERE id = ?').run(id).changes > 0,
    );
    return found ? this.#scrubber.run() : null;
  }

  /** The same write again only counts. */
  #keep(write: RefusedWrite): string {
    const entry = newEntry(write);
    const known = this.#database
      .prepare('UPDATE quarantine SET times = times + 1, last_at = ? WHERE digest = ? RETURNING id')
      .pluck()
      .get(entry.lastAt, toRow(entry).digest) as string | undefined;
    if (known !== undefined) return known;
    this.#put(entry);
    return entry.id;
  }

  #put(entry: QuarantineEntry, onConflict = ''): void {
    this.#database
      .prepare(`${INSERT} ${onConflict}`)
      .run({ ...toRow(entry), reasons: JSON.stringify(entry.reasons) });
  }

  #trim(limits: QuarantineLimits): void {
    const sizes = this.#database.prepare(
      `SELECT qid, length(coalesce(content, '')) + length(coalesce(input, '')) AS size FROM quarantine ORDER BY qid DESC`,
    );
    const oldest = oldestKept(sizes.all() as { qid: number; size: number }[], limits);
    if (oldest !== undefined) this.#database.prepare('DELETE FROM quarantine WHERE qid < ?').run(oldest);
  }
}

const readEntry = (row: Row): QuarantineEntry => toEntry(row, storedJson<string[]>(row.reasons));
