/** Saves what can be read of a damaged database into a new file beside it; the original stays as it is. */
import { copyFile, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { SqliteDatabase } from '../engine-package.ts';
import { isSqliteError } from '../errors.ts';
import { rebuildMessageWords } from '../message-words.ts';
import { SCHEMA_VERSION } from '../migrations/index.ts';
import { migrate, openDatabase } from '../open-database.ts';
import { TextIndex } from '../text-index.ts';
import { type ContentCounts, countContent } from './backup.ts';
import { createPrivateFile, exists, partialName, place, removeDatabase, syncFile } from './private-files.ts';
import { freeName, type Quarantined, quarantine } from './quarantine.ts';
import { salvageRows } from './salvage.ts';
import { continueNumbering, readSequences, type Sequences } from './sequences.ts';
import { complaints } from './snapshot.ts';
import { transplant } from './transplant.ts';

const BUSY_TIMEOUT_MS = 5_000;
const HEADER_BYTES = 100;
/** A file of which less than this part is left holds hardly anything. */
const MOST_PADDING = 100;

export interface Rescue {
  readonly quarantined: Quarantined;
  /** Absent when nothing could be read. */
  readonly salvaged?: ContentCounts & { readonly file: string; readonly complete: boolean };
}

export async function rescue(file: string, now: number): Promise<Rescue> {
  const folder = dirname(file);
  const quarantined = await quarantine(file, folder, now);
  const target = await freeName(folder, 'keepsake-salvaged', now);
  const salvaged = await salvageFile(quarantined.file, target);
  return { quarantined, ...(salvaged === undefined ? {} : { salvaged: { file: target, ...salvaged } }) };
}

/** `damaged` is a copy that nobody uses, and is not changed. */
export async function salvageFile(
  damaged: string,
  target: string,
): Promise<(ContentCounts & { readonly complete: boolean }) | undefined> {
  const work = partialName(target);
  const result = partialName(target);
  try {
    const source = await openSomehow(damaged, work, result);
    if (source === undefined) return undefined;
    let complete: boolean;
    let sequences: Sequences | 'unknown';
    try {
      await createPrivateFile(result);
      complete = fill(source, result);
      sequences = readSequences(source);
    } finally {
      source.close();
    }
    const database = await openDatabase({ file: result, busyTimeoutMs: BUSY_TIMEOUT_MS });
    let counts: ContentCounts;
    try {
      database.transaction(() => {
        continueNumbering(database, sequences);
        new TextIndex(database).rebuild();
        rebuildMessageWords(database);
      })();
      counts = countContent(database);
      database.pragma('journal_mode = DELETE');
      if (counts.records + counts.messages === 0 || complaints(database).length > 0) return undefined;
    } finally {
      database.close();
    }
    await syncFile(result);
    await place(result, target);
    return { ...counts, complete };
  } finally {
    await removeDatabase(work);
    await removeDatabase(result);
  }
}

function fill(source: Database, result: string): boolean {
  const target = new SqliteDatabase(result);
  try {
    const version = source.pragma('user_version', { simple: true }) as number;
    // Into the same schema, so that the migrations after it do their work on the rows.
    migrate(target, version >= 1 && version <= SCHEMA_VERSION ? version : SCHEMA_VERSION);
    return salvageRows(source, target);
  } finally {
    target.close();
  }
}

type Mending = (work: string, fresh: string) => Promise<void>;

/** Ways to let SQLite read a file that it refuses, from the gentlest on; each works on a new copy. */
const MENDINGS: readonly Mending[] = [
  async () => {},
  padToPages,
  (work, fresh) => transplant(work, fresh, { wholePage: false, vacuumed: false }),
  (work, fresh) => transplant(work, fresh, { wholePage: true, vacuumed: true }),
  (work, fresh) => transplant(work, fresh, { wholePage: true, vacuumed: false }),
];

async function openSomehow(damaged: string, work: string, fresh: string): Promise<Database | undefined> {
  for (const answers of [everyTable, firstRow, lastRow, anyTable]) {
    for (const mending of MENDINGS) {
      await removeDatabase(work);
      await copyFile(damaged, work);
      if (await exists(`${damaged}-wal`)) await copyFile(`${damaged}-wal`, `${work}-wal`);
      await mending(work, fresh);
      const database = openIf(work, answers);
      if (database !== undefined) return database;
    }
  }
  return undefined;
}

type Question = (database: Database) => boolean;

/** From convincing to weak: a schema that was transplanted proves little until a row can be read. */
const everyTable: Question = (database) => {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all() as string[];
  for (const name of names) database.prepare(`SELECT * FROM "${name}" NOT INDEXED LIMIT 1`).all();
  return firstRow(database);
};
const firstRow: Question = (database) =>
  isText(database, 'SELECT id FROM records NOT INDEXED ORDER BY rid LIMIT 1');
const lastRow: Question = (database) =>
  isText(database, 'SELECT id FROM records NOT INDEXED ORDER BY rid DESC LIMIT 1');
const anyTable: Question = (database) =>
  isText(database, "SELECT name FROM sqlite_schema WHERE name = 'messages'");

function isText(database: Database, sql: string): boolean {
  return typeof database.prepare(sql).pluck().get() === 'string';
}

function openIf(file: string, answers: Question): Database | undefined {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    if (answers(database)) return database;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
  database.close();
  return undefined;
}

/** SQLite refuses a file that is shorter than its header says; pages of zeros, which it knows as bad, let it read on. */
async function padToPages(work: string): Promise<void> {
  const handle = await open(work, 'r+');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    await handle.read(header, 0, HEADER_BYTES, 0);
    const { size } = await handle.stat();
    const [pageSize, pages] = [header.readUInt16BE(16), header.readUInt32BE(28)];
    // The header itself may be garbage: then it is no reason to fill the disk.
    if (pageSize < 512 || pageSize * pages > MOST_PADDING * size) return;
    // Half a page must not pass for a whole one.
    await handle.truncate(size - (size % pageSize));
    await handle.truncate(pageSize * pages);
  } finally {
    await handle.close();
  }
}
