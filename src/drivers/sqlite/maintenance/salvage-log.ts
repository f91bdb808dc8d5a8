/** Saves what a damaged write-ahead log holds behind the damage, which SQLite itself would never read. */
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SqliteDatabase } from '../engine-package.ts';
import { isSqliteError } from '../errors.ts';
import { readablePages, readLog, withPages } from '../write-ahead-log.ts';
import { type ContentCounts, countContent } from './backup.ts';
import { partialName, removeDatabase } from './private-files.ts';
import { freeName } from './quarantine.ts';
import { salvageFile } from './rescue.ts';

export interface LogSalvage {
  readonly file: string;
  readonly saved: ContentCounts;
  /** What the database holds without the damaged part. */
  readonly kept: ContentCounts;
}

/** `damaged` is a copy of both files, `file` what goes on. Undefined when there is nothing to gain. */
export async function salvageLog(
  damaged: string,
  file: string,
  now: number,
): Promise<LogSalvage | undefined> {
  const whole = partialName(damaged);
  try {
    const handle = await open(whole, 'wx', 0o600);
    try {
      await handle.writeFile(withPages(await readFile(damaged), readablePages(readLog(damaged))));
    } finally {
      await handle.close();
    }
    const target = await freeName(dirname(file), 'keepsake-salvaged', now);
    const saved = await salvageFile(whole, target);
    if (saved === undefined) return undefined;
    const kept = countsOf(file);
    if (saved.records > kept.records || saved.messages > kept.messages) return { file: target, saved, kept };
    await removeDatabase(target);
    return undefined;
  } finally {
    await removeDatabase(whole);
  }
}

function countsOf(file: string): ContentCounts {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    return countContent(database);
  } catch (error) {
    // The log may have held everything, also the tables.
    if (isSqliteError(error)) return { records: 0, messages: 0 };
    throw error;
  } finally {
    database.close();
  }
}
