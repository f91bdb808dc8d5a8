/** The event stream in Postgres. Stores write their events through here, inside their own transaction. */

import { randomUUID } from 'node:crypto';
import type { EventDraft, KeepsakeEvent } from '../../kernel/events.ts';
import type { EventQuery, EventStore } from '../../ports/event-store.ts';
import { blurEvent, EVENTS_ABOUT_MEMORIES } from '../common/blur-event.ts';
import { STREAM_NAME, trimUpTo } from '../common/event-stream.ts';
import { storedJson } from '../common/stored-json.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Listener } from './listener.ts';
import { raw, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

const EVENTS = 'events';

interface EventRow {
  readonly seq: number;
  readonly category: string | null;
  readonly event: string;
}

export class PostgresEventStore implements EventStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #listener: Listener;
  readonly #committed = new Set<(seq: number) => void>();

  constructor(database: Database, writer: GroupWriter, listener: Listener) {
    this.#database = database;
    this.#writer = writer;
    this.#listener = listener;
    writer.onCommit((news) => {
      const seq = news.get(EVENTS);
      if (seq !== undefined) for (const committed of this.#committed) committed(Number(seq));
    });
  }

  append(drafts: readonly EventDraft[]): Promise<readonly KeepsakeEvent[]> {
    return this.#writer.run(async (transaction) => this.write(transaction, drafts));
  }

  mirror(events: readonly KeepsakeEvent[]): Promise<void> {
    return this.#writer.run(async (transaction) => {
      if (events.length === 0) return;
      await transaction.flush();
      await transaction.run(
        sql`DELETE FROM events WHERE seq = ANY(${events.map(({ seq }) => seq)}::bigint[])`,
      );
      transaction.set('event', Math.max(transaction.count('event', 0), events.at(-1)!.seq));
      transaction.defer(putEvents, events);
      transaction.tell(EVENTS, String(events.at(-1)!.seq));
    });
  }

  async remove(seqs: readonly number[]): Promise<void> {
    await this.#writer.run((transaction) =>
      transaction.run(sql`DELETE FROM events WHERE seq = ANY(${seqs}::bigint[])`),
    );
  }

  /** For the other stores of this engine; the rows are written when the transaction ends. */
  write(transaction: WriteTransaction, drafts: readonly EventDraft[]): KeepsakeEvent[] {
    const events = drafts.map((draft) => ({ ...draft, seq: transaction.next('event') }));
    transaction.defer(insertEvents, events);
    const last = events.at(-1);
    if (last !== undefined) transaction.tell(EVENTS, String(last.seq));
    return events;
  }

  /** Takes the category and other free text out of the events and receipts of forgotten records. */
  async blur(transaction: WriteTransaction, ids: readonly string[]): Promise<void> {
    await transaction.flush();
    await transaction.run(
      sql`UPDATE events SET category = '' WHERE subject = ANY(${ids}::text[]) AND category <> ''`,
    );
    const about = await transaction.rows<{ seq: number; event: string }>(
      sql`SELECT seq, event FROM events WHERE type = ANY(${EVENTS_ABOUT_MEMORIES}::text[])
          AND EXISTS (SELECT 1 FROM unnest(${ids}::text[]) AS forgotten(id) WHERE strpos(event, forgotten.id) > 0)`,
    );
    const forgotten = new Set(ids);
    for (const { seq, event } of about) {
      const left = blurEvent(event, forgotten);
      if (left !== undefined)
        await transaction.run(sql`UPDATE events SET event = ${left} WHERE seq = ${seq}`);
    }
  }

  async read({ after = 0, types, agent, limit }: EventQuery): Promise<readonly KeepsakeEvent[]> {
    const ofTypes = types === undefined ? raw('') : sql`AND type = ANY(${types}::text[])`;
    const ofAgent = agent === undefined ? raw('') : sql`AND agent = ${agent}`;
    const rows = await this.#database.rows<EventRow>(
      sql`SELECT seq, category, event FROM events WHERE seq > ${after} ${ofTypes} ${ofAgent}
          ORDER BY seq LIMIT ${limit}`,
    );
    return rows.map(({ seq, category, event }) => ({
      ...storedJson<EventDraft>(event),
      ...((category === null ? {} : { category }) as object),
      seq,
    }));
  }

  async latest(): Promise<number> {
    // The transaction remembers the highest number even after trimming.
    const row = await this.#database.row<{ latest: number }>(
      sql`SELECT COALESCE((counters::json ->> 'event')::bigint, 0) AS latest FROM lanes WHERE name = 'memory'`,
    );
    return row!.latest;
  }

  async identity(): Promise<string> {
    const present = () =>
      this.#database.row<{ value: string }>(sql`SELECT value FROM meta WHERE key = ${STREAM_NAME}`);
    const known = await present();
    if (known !== undefined) return known.value;
    await this.#writer.run((transaction) =>
      transaction.run(
        sql`INSERT INTO meta (key, value) VALUES (${STREAM_NAME}, ${randomUUID()}) ON CONFLICT DO NOTHING`,
      ),
    );
    return (await present())!.value;
  }

  onCommit(committed: (seq: number) => void): () => void {
    this.#committed.add(committed);
    return () => this.#committed.delete(committed);
  }

  listen(heard: (seq: number) => void): () => void {
    return this.#listener.listen(EVENTS, (seq) => {
      // After a break in the connection nobody knows what was missed.
      if (seq === '') this.latest().then(heard, () => {});
      else heard(Number(seq));
    });
  }
}

async function insertEvents(transaction: WriteTransaction, events: readonly KeepsakeEvent[]): Promise<void> {
  await putEvents(transaction, events);
  const old = trimUpTo(events[0]!.seq, events.at(-1)!.seq);
  if (old > 0) await transaction.run(sql`DELETE FROM events WHERE seq <= ${old}`);
}

/** All events of a transaction in one statement. */
async function putEvents(transaction: WriteTransaction, events: readonly KeepsakeEvent[]): Promise<void> {
  const rows = events.map(({ seq, ...draft }) => {
    const { category, ...rest } = draft as EventDraft & { category?: string };
    const isAboutRecord = draft.type.startsWith('memory.') && 'id' in draft;
    return {
      seq,
      type: draft.type,
      agent: draft.agent ?? null,
      subject: isAboutRecord ? String(draft.id) : null,
      category: category ?? null,
      event: JSON.stringify(rest),
    };
  });
  // As JSON, whose text can hold everything that an event may say.
  await transaction.run(
    sql`INSERT INTO events (seq, type, agent, subject, category, event)
        SELECT * FROM unnest(${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ type }) => type)}::text[],
          ${rows.map(({ agent }) => agent)}::text[], ${rows.map(({ subject }) => subject)}::text[],
          ${rows.map(({ category }) => category)}::text[], ${rows.map(({ event }) => event)}::text[])`,
  );
}
