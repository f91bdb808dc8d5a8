/** Sequence numbers never go backwards, not even when a backup takes the place of newer content. */
import type { Database } from 'better-sqlite3';
import type { EventDraft } from '../../../kernel/events.ts';
import { STREAM_NAME } from '../../common/event-stream.ts';

const NUMBERED = ['events', 'messages', 'run_messages', 'record_vectors'] as const;
/** Ahead of what a database that nobody can read any more may have counted up to. Gaps are allowed, repeats are not. */
const LEAP = 1_000_000;

export type Sequences = Readonly<Partial<Record<(typeof NUMBERED)[number], number>>>;

/** The highest number that each stream ever gave, as far as the database can still tell. */
export function readSequences(database: Database): Sequences | 'unknown' {
  try {
    const highest = (table: string): number =>
      database
        .prepare(
          `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0),
                      coalesce((SELECT max(seq) FROM ${table}), 0))`,
        )
        .pluck()
        .get() as number;
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    return {
      events: highest('events'),
      messages: highest('messages'),
      // Databases of old have none.
      ...(has.get('run_messages') === undefined ? {} : { run_messages: highest('run_messages') }),
      ...(has.get('record_vectors') === undefined ? {} : { record_vectors: highest('record_vectors') }),
    };
  } catch {
    return 'unknown';
  }
}

/** Lets `database` count on from where the previous content was. */
export function continueNumbering(database: Database, previous: Sequences | 'unknown'): void {
  const own = readSequences(database) as Sequences;
  for (const table of NUMBERED) {
    const least = own[table] ?? 0;
    setSequence(
      database,
      table,
      previous === 'unknown' ? least + LEAP : Math.max(least, previous[table] ?? 0),
    );
  }
}

/** Notes the restore as the newest event, with a number after every earlier one. */
export function noteRestore(
  database: Database,
  previous: Sequences | 'unknown',
  { source, now }: { readonly source: string; readonly now: number },
): void {
  const event: EventDraft = { type: 'storage.restored', from: source, at: now, via: 'system' };
  database
    .transaction(() => {
      continueNumbering(database, previous);
      forgetFollowers(database);
      database
        .prepare('INSERT INTO events (at, type, agent, event) VALUES (?, ?, NULL, ?)')
        .run(now, event.type, JSON.stringify(event));
    })
    .immediate();
}

/** An index outside follows another history now: it begins again, under another name. */
export function forgetFollowers(database: Database): void {
  database.exec('DELETE FROM vector_changes; DELETE FROM vector_feed');
}

/** Servers that run meanwhile know the stream of events by its name, which the backup may be too old to have. */
export function keepStreamName(database: Database, live: Database): void {
  const name = live.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(STREAM_NAME);
  if (name === undefined) return;
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(STREAM_NAME, name);
}

export function setSequence(database: Database, table: string, value: number): void {
  database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
  database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, value);
}
