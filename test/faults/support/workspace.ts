/** Throw-away workspaces, and the raw view of their database that no code of ours stands in front of. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'keepsake-faults-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeFolder();
  try {
    return await work(folder);
  } finally {
    removeFolder(folder);
  }
}

/** A copy of a database that nobody has open. */
export function copyDatabase(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

export function databaseOf(workspace: string): string {
  return join(workspace, 'data', 'keepsake.db');
}

/** Never through `fs`: that would drop the locks that SQLite holds in this process. */
export function withDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout: 10_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
