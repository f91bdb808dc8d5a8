/** Records the last committed position in a file beside the database, to detect a truncated or older database. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { GroupWriter } from './group-writer.ts';

/** Streams whose numbers only grow. */
const STREAMS = ['events', 'messages'] as const;
/** Long enough that it costs writers nothing. Losses of a moment cannot be told from a power failure anyway. */
const LAZINESS_MS = 250;
const MAX_BYTES = 1_000;

type Numbers = Readonly<Record<(typeof STREAMS)[number], number>>;

const fileOf = (database: string): string => `${database}.seen`;

/** Undefined where nothing is known: no process wrote so far, or the note cannot be read. */
export function readWitness(database: string): Numbers | undefined {
  try {
    const note = fileOf(database);
    if (statSync(note).size > MAX_BYTES) return undefined;
    const { events, messages } = JSON.parse(readFileSync(note, 'utf8')) as Partial<Numbers>;
    return Number.isSafeInteger(events) && Number.isSafeInteger(messages)
      ? { events: events!, messages: messages! }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Somebody restored another database, or decided to go on with what is there. */
export function forgetWitness(database: string): void {
  rmSync(fileOf(database), { force: true });
}

function numbersOf(database: Database): Numbers {
  const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').raw().all() as [string, number][];
  const numbers = new Map(rows);
  return { events: numbers.get('events') ?? 0, messages: numbers.get('messages') ?? 0 };
}

/** What is missing, in words; undefined where nothing is. Read the witness before the database was looked into. */
export function missingSince(seen: Numbers | undefined, database: Database): string | undefined {
  if (seen === undefined) return undefined;
  const hasSequences = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get();
  const present = hasSequences === undefined ? { events: 0, messages: 0 } : numbersOf(database);
  const parts = STREAMS.filter((stream) => present[stream] < seen[stream]).map((stream) => {
    const count = seen[stream] - present[stream];
    return `${count} ${count === 1 ? stream.slice(0, -1) : stream}`;
  });
  return parts.length === 0 ? undefined : parts.join(' and ');
}

export const OLDER_HINT =
  'Run "keepsake restore <backup>", or "keepsake doctor --fix" to keep a copy and continue with what is there.';

export const describeMissing = (file: string, missing: string): string =>
  `The database ${file} has lost its newest changes: ${missing} that it had before are missing.`;

export function refuseOlder(file: string, seen: Numbers | undefined, database: Database): void {
  const missing = missingSince(seen, database);
  if (missing === undefined) return;
  throw new KeepsakeError('CORRUPT', `${describeMissing(file, missing)} Nothing was touched.`, {
    hint: OLDER_HINT,
  });
}

export const GONE_HINT = (file: string): string =>
  `Put it back or run "keepsake restore <backup>". To begin with an empty workspace, delete ${fileOf(file)} too.`;

/** A database that is gone is not a new workspace. */
export function refuseGone(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined || readWitness(file) === undefined) return;
  throw new KeepsakeError('CORRUPT', `The database ${file} is gone, although it was made before.`, {
    hint: GONE_HINT(file),
  });
}

/** By a timer nobody waits for: an error here would end the process. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next note replaces it.
  }
}

export class Witness {
  readonly #database: Database;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    writer.onCommit(() => {
      this.#timer ??= setTimeout(() => this.#note(), LAZINESS_MS).unref();
    });
  }

  /** Before the database is closed. */
  close(): void {
    if (this.#timer !== undefined) this.#note();
  }

  #note(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const note = fileOf(this.#database.name);
    const draft = `${note}.new`;
    try {
      writeFileSync(draft, JSON.stringify(numbersOf(this.#database)), { mode: 0o600 });
      renameSync(draft, note);
    } catch {
      // A full disk or a folder without write permission: the note stays older, and notices less.
      removeIfPossible(draft);
    }
  }
}
