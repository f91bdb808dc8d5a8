/** The quarantine in SQLite: bounded, each write once, and gone for good when it is deleted. */
import type { Database } from 'better-sqlite3';
import type { KeepsakeEvent, Via } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Origin } from '../../kernel/record.ts';
import type {
  BlockedDraft,
  GuardedVerb,
  QuarantineEntry,
  QuarantineLimits,
  QuarantineQuery,
  QuarantineStore,
  RefusedWrite,
} from '../../ports/quarantine-store.ts';
import { digestOf, noDigest } from '../common/digest.ts';
import type { SqliteEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { Scrubber } from './scrubber.ts';

interface Row {
  id: string;
  agent: string;
  at: number;
  last_at: number;
  times: number;
  via: Via;
  session: string | null;
  verb: GuardedVerb;
  category: string;
  origin: Origin;
  reasons: string;
  input: string | null;
  content: string | null;
  released_at: number | null;
  released_by: string | null;
  released_as: string | null;
}

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
      return row === undefined ? null : toEntry(row as Row);
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
      return rows.map(toEntry);
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
      const put = this.#database.prepare(
        `INSERT INTO quarantine (id, digest, agent, at, last_at, times, via, session, verb, category, origin, reasons, input,
           content, released_at, released_by, released_as)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, last_at = excluded.last_at, times = excluded.times,
           input = excluded.input, content = excluded.content, released_at = excluded.released_at,
           released_by = excluded.released_by, released_as = excluded.released_as`,
      );
      for (const entry of entries) {
        const { id, agent, at, lastAt, times, via, session, verb, category, origin, reasons, content } =
          entry;
        const input = entry.input === null ? null : JSON.stringify(entry.input);
        const digest = input === null ? noDigest() : digestOf(agent, verb, input);
        put.run(
          ...[id, digest, agent, at, lastAt, times, via, session, verb, category, origin],
          ...[JSON.stringify(reasons), input, content, entry.releasedAt, entry.releasedBy, entry.releasedAs],
        );
      }
    });
  }

  async remove(id: string): Promise<{ journalErased: boolean; pagesErased: boolean } | null> {
    const found = await this.#writer.run(
      () => this.#database.prepare('DELETE FROM quarantine WHERE id = ?').run(id).changes > 0,
    );
    return found ? this.#scrubber.run() : null;
  }

  #keep(write: RefusedWrite): string {
    const { id, at, agent, via, session, verb, category, origin } = write;
    const input = JSON.stringify(write.input);
    const digest = digestOf(agent, verb, input);
    const known = this.#database
      .prepare('UPDATE quarantine SET times = times + 1, last_at = ? WHERE digest = ? RETURNING id')
      .pluck()
      .get(at, digest) as string | undefined;
    if (known !== undefined) return known;
    this.#database
      .prepare(
        `INSERT INTO quarantine (id, digest, agent, at, last_at, times, via, session, verb, category, origin, reasons, input, content)
         VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[id, digest, agent, at, at, via, session, verb, category, origin],
        ...[JSON.stringify(write.reasons), input, write.content],
      );
    return id;
  }

  /** The newest one stays however large it is. */
  #trim({ entries, characters }: QuarantineLimits): void {
    this.#database
      .prepare(
        `DELETE FROM quarantine WHERE qid IN (
           SELECT qid FROM (
             SELECT qid, row_number() OVER newest AS place, sum(length(coalesce(content, '')) + length(coalesce(input, ''))) OVER newest AS size
             FROM quarantine WINDOW newest AS (ORDER BY qid DESC ROWS UNBOUNDED PRECEDING)
           ) WHERE place > 1 AND (place > ? OR size > ?))`,
      )
      .run(entries, characters);
  }
}

function toEntry(row: Row): QuarantineEntry {
  const { id, agent, at, times, via, session, verb, category, origin, content } = row;
  return {
    ...{ id, agent, at, times, via, session, verb, category, origin, content },
    state: row.released_at === null ? 'waiting' : 'released',
    reasons: JSON.parse(row.reasons) as string[],
    input: row.input === null ? null : (JSON.parse(row.input) as JsonObject),
    lastAt: row.last_at,
    releasedAt: row.released_at,
    releasedBy: row.released_by,
    releasedAs: row.released_as,
  };
}
