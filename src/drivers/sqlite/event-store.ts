/** The event stream in SQLite. Stores write their events through here, inside their own transaction. */

import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { EventDraft, KeepsakeEvent } from '../../kernel/events.ts';
import type { EventQuery, EventStore } from '../../ports/event-store.ts';
import { blurEvent, EVENTS_ABOUT_MEMORIES } from '../common/blur-event.ts';
import { STREAM_NAME, trimUpTo } from '../common/event-stream.ts';
import { storedJson } from '../common/stored-json.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

export class SqliteEventStore implements EventStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #insert;
  readonly #mirror;
  readonly #trim;
  readonly #remove;
  readonly #blur;
  readonly #committed = new Set<(seq: number) => void>();
  /** The newest number that was written here, and perhaps not kept: whoever is told of it looks. */
  #written = 0;
  #told = 0;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    writer.onCommit(() => this.#tell());
    this.#insert = database.prepare('INSERT INTO events (at, type, agent, event) VALUES (?, ?, ?, ?)');
    this.#mirror = database.prepare(
      'INSERT OR REPLACE INTO events (seq, at, type, agent, event) VALUES (?, ?, ?, ?, ?)',
    );
    this.#trim = database.prepare('DELETE FROM events WHERE seq <= ?');
    this.#remove = database.prepare('DELETE FROM events WHERE seq IN (SELECT value FROM json_each(?))');
    this.#blur = database.prepare(
      `UPDATE events SET event = json_set(event, '$.category', '')
       WHERE type GLOB 'memory.*' AND event ->> '$.id' IN (SELECT value FROM json_each(?))
       AND event ->> '$.category' <> ''`,
    );
  }

  append(drafts: readonly EventDraft[]): Promise<readonly KeepsakeEvent[]> {
    return this.#writer.run(() => this.write(drafts));
  }

  mirror(events: readonly KeepsakeEvent[]): Promise<void> {
    return this.#writer.run(() => {
      for (const { seq, ...draft } of events) {
        this.#mirror.run(seq, draft.at, draft.type, draft.agent ?? null, JSON.stringify(draft));
        this.#written = seq;
      }
    });
  }

  remove(seqs: readonly number[]): Promise<void> {
    return this.#writer.run(() => void this.#remove.run(JSON.stringify(seqs)));
  }

  /** Takes the category and other free text out of the events and receipts of forgotten records; the caller holds the transaction. */
  blur(ids: readonly string[]): void {
    // Reads all events, so once for all of them: one by one, 10,000 records took more than a minute.
    this.#blur.run(JSON.stringify(ids));
    const forgotten = new Set(ids);
    const types = EVENTS_ABOUT_MEMORIES.map((type) => `'${type}'`).join(', ');
    const about = this.#database.prepare(`SELECT seq, event FROM events WHERE type IN (${types})`);
    const blurred = (about.all() as { seq: number; event: string }[]).flatMap(({ seq, event }) => {
      const left = blurEvent(event, forgotten);
      return left === undefined ? [] : [{ seq, left }];
    });
    const update = this.#database.prepare('UPDATE events SET event = ? WHERE seq = ?');
    for (const { seq, left } of blurred) update.run(left, seq);
  }

  /** For the other stores of this engine: the caller holds the transaction. */
  write(drafts: readonly EventDraft[]): KeepsakeEvent[] {
    return drafts.map((draft) => {
      const result = this.#insert.run(draft.at, draft.type, draft.agent ?? null, JSON.stringify(draft));
      const seq = Number(result.lastInsertRowid);
      this.#written = seq;
      const old = trimUpTo(seq);
      if (old > 0) this.#trim.run(old);
      return { ...draft, seq };
    });
  }

  read({ after = 0, types, agent, limit }: EventQuery): Promise<readonly KeepsakeEvent[]> {
    const conditions = ['seq > ?'];
    const values: (string | number)[] = [after];
    if (types !== undefined) {
      conditions.push(`type IN (${types.map(() => '?').join(', ')})`);
      values.push(...types);
    }
    if (agent !== undefined) {
      conditions.push('agent = ?');
      values.push(agent);
    }
    return reading(this.#database, () => {
      const rows = this.#database
        .prepare(`SELECT seq, event FROM events WHERE ${conditions.join(' AND ')} ORDER BY seq LIMIT +?`)
        .all(...values, limit) as { seq: number; event: string }[];
      return rows.map((row) => ({ ...storedJson<EventDraft>(row.event), seq: row.seq }));
    });
  }

  latest(): Promise<number> {
    return reading(this.#database, () => this.#latest());
  }

  async identity(): Promise<string> {
    const present = (): unknown =>
      this.#database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(STREAM_NAME);
    const make = this.#database.prepare('INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)');
    const known = await reading(this.#database, present);
    if (known !== undefined) return known as string;
    return this.#writer.run(() => {
      make.run(STREAM_NAME, randomUUID());
      return present() as string;
    });
  }

  onCommit(committed: (seq: number) => void): () => void {
    this.#committed.add(committed);
    return () => this.#committed.delete(committed);
  }

  #tell(): void {
    if (this.#written === this.#told) return;
    this.#told = this.#written;
    for (const committed of this.#committed) committed(this.#told);
  }

  #latest(): number {
    // sqlite_sequence remembers the highest number even after trimming.
    const seq = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck().get();
    return (seq as number | undefined) ?? 0;
  }
}
