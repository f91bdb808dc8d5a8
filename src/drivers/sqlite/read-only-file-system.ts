/** A database on a read-only file system: SQLite cannot open one in WAL mode there, so it is read into memory as it is. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { SqliteDatabase } from './engine-package.ts';
import { committedPages, withPages } from './write-ahead-log.ts';

/** More than this is not read into memory. */
const MAX_BYTES = 1024 ** 3;

export function isOnReadOnlyFileSystem(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  try {
    accessSync(dirname(file), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** What is committed, with the part that is still in the write-ahead log. Nobody can write there, so it does not change. */
export function openInMemory(file: string): Database {
  const { size } = statSync(file);
  if (size > MAX_BYTES) {
    throw new KeepsakeError('PERMISSION', `${file} is on a read-only file system and too large to be read.`, {
      hint: 'Copy the workspace to a file system that can be written.',
    });
  }
  const log = `${file}-wal`;
  const hasLog = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const pages = committedPages(hasLog ? readFileSync(log) : new Uint8Array());
  return new SqliteDatabase(withPages(readFileSync(file), pages));
}
