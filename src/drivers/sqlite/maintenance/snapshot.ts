/** A read-only connection that sees one moment of a database, however much others write meanwhile. */
import type { Database } from 'better-sqlite3';
import { whileBusy } from '../busy.ts';
import { SqliteDatabase } from '../engine-package.ts';
import { isSqliteError } from '../errors.ts';

/** How long SQLite itself may block a thread; beyond that we wait without blocking. */
const BLOCKING_WAIT_MS = 50;

/** Throws SQLite's own errors, so that the caller can tell a damaged file from a stranger's. */
export async function openSnapshot(file: string, busyTimeoutMs: number): Promise<Database> {
  const database = new SqliteDatabase(file, {
    readonly: true,
    fileMustExist: true,
    timeout: BLOCKING_WAIT_MS,
  });
  try {
    await whileBusy(busyTimeoutMs, () => begin(database));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function begin(snapshot: Database): void {
  if (snapshot.inTransaction) snapshot.exec('ROLLBACK');
  snapshot.exec('BEGIN');
  // The first read takes the snapshot. This one needs no schema, so it works on a database whose schema is damaged.
  snapshot.pragma('user_version');
}

/**
 * What SQLite's own check complains about, line by line; nothing when the database is sound. Where others may write, the
 * caller holds a snapshot.
 */
export function complaints(database: Database, table?: string): string[] {
  const lines: string[] = [];
  const statement = database
    .prepare(`PRAGMA integrity_check${table === undefined ? '' : `("${table}")`}`)
    .pluck();
  try {
    // Row by row, because the check itself can stumble over the damage after it has told about it.
    for (const row of statement.iterate() as Iterable<string>) lines.push(...row.split('\n'));
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    if (lines.length === 0) lines.push(error.message);
  }
  const telling = lines.filter((line) => line !== 'ok' && !line.startsWith('*** in database'));
  return telling.length === 0 && table === undefined ? strayPages(database) : telling;
}

/** Where SQLite keeps its locks; no page of a table can be there. */
const LOCK_BYTE = 2 ** 30;

/**
 * SQLite's check leaves out pages that belong to nothing when the schema ends with virtual tables, as it does after every
 * VACUUM (seen up to 3.53.4: it takes their root page 0 for the mark of a check of one table). So the pages are counted.
 */
function strayPages(database: Database): string[] {
  const pragma = (name: string): number => database.pragma(name, { simple: true }) as number;
  // With auto_vacuum some pages hold pointers; Keepsake never sets it.
  if (pragma('auto_vacuum') !== 0) return [];
  const used = database.prepare('SELECT count(*) FROM dbstat').pluck().get() as number;
  const locks = pragma('page_count') * pragma('page_size') > LOCK_BYTE ? 1 : 0;
  const stray = pragma('page_count') - locks - used - pragma('freelist_count');
  return stray === 0 ? [] : [`Freelist: ${Math.abs(stray)} pages too ${stray > 0 ? 'few' : 'many'}`];
}
