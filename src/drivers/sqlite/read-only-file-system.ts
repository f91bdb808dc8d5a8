/** A database on a read-only file system: SQLite cannot open one in WAL mode there, so it is read into memory as it is. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { SqliteDatabase } from './engine-package.ts';
import { committedPages } from './write-ahead-log.ts';

/** More than this is not read into memory. */
const MAX_BYTES = 1024 ** 3;
/** Where a database says that it is read and written through a write-ahead log (2) or a journal (1). */
const [WRITES_WITH, READS_WITH] = [18, 19];

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
  const bytes = withLog(readFileSync(file), `${file}-wal`);
  if (bytes.length > READS_WITH!) bytes[WRITES_WITH!] = bytes[READS_WITH!] = 1;
  return new SqliteDatabase(bytes);
}

function withLog(bytes: Buffer, log: string): Buffer {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return bytes;
  const { pages, pageSize, pageCount } = committedPages(readFileSync(log));
  if (pages.size === 0) return bytes;
  const whole = Buffer.alloc(pageCount * pageSize);
  bytes.copy(whole);
  for (const [number, page] of pages) if (number <= pageCount) whole.set(page, (number - 1) * pageSize);
  return whole;
}
