/** Backups, made by the engine itself while any number of processes write. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { BackupProgress, BackupReport, CopyReport } from '../../../ports/maintenance.ts';
import { SqliteDatabase } from '../engine-package.ts';
import { isSqliteError, translate } from '../errors.ts';
import {
  createPrivateFile,
  explain,
  finalName,
  partialName,
  place,
  realPath,
  refuseExisting,
  removeDatabase,
  SIDE_FILES,
  sha256Of,
  syncFile,
} from './private-files.ts';
import { complaints, openSnapshot } from './snapshot.ts';

/** 4 MB at the usual page size: a few milliseconds, after which this process does other things. */
const PAGES_PER_STEP = 1_024;

export interface BackupOptions {
  readonly file: string;
  /** Must not exist yet. */
  readonly target: string;
  readonly busyTimeoutMs: number;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface ContentCounts {
  readonly records: number;
  readonly messages: number;
}

export async function backupDatabase(options: BackupOptions): Promise<BackupReport> {
  const { report, damage, counts } = await copyDatabase({ ...options, keepDamaged: false });
  if (damage.length > 0 || counts === undefined) {
    throw new KeepsakeError(
      'CORRUPT',
      `${options.file} is damaged (${damage[0]}); the backup was not kept.`,
      {
        hint: 'Run "keepsake doctor" to see what is wrong.',
      },
    );
  }
  return { ...report, ...counts };
}

export interface CopyOptions extends BackupOptions {
  /** Whether a copy that shares the original's damage is worth a name. */
  readonly keepDamaged: boolean;
}

export interface CopyOutcome {
  readonly report: CopyReport;
  readonly damage: readonly string[];
  readonly counts: ContentCounts | undefined;
}

/** A single file with the content of one moment, checked and on disk before it gets its name. */
export async function copyDatabase(options: CopyOptions): Promise<CopyOutcome> {
  const target = resolve(options.target);
  const partial = partialName(target);
  try {
    await refuseSideFiles(target, options.file);
    await refuseExisting(target);
    await createPrivateFile(partial);
    await copyPages({ ...options, target: partial });
    const { damage, counts } = inspectCopy(partial);
    await syncFile(partial);
    const report = { file: target, bytes: (await stat(partial)).size, sha256: await sha256Of(partial) };
    if (damage.length === 0 || options.keepDamaged) await place(partial, target);
    return { report, damage, counts };
  } catch (error) {
    throw explain(error, target);
  } finally {
    await removeDatabase(partial);
  }
}

/** SQLite would take a file of such a name for its own, play it into the database or delete it. */
async function refuseSideFiles(target: string, file: string): Promise<void> {
  const wanted = join(await realPath(dirname(target)), basename(target));
  const real = await realPath(file);
  if (!SIDE_FILES.some((side) => wanted === `${real}${side}`)) return;
  throw new KeepsakeError('INVALID_INPUT', `${target} is a name that SQLite keeps for itself.`, {
    hint: 'Choose another name for the backup.',
  });
}

/** Copies all pages as they are, without asking what they mean. */
export async function copyPages({ file, target, busyTimeoutMs, onProgress }: BackupOptions): Promise<void> {
  let snapshot: Database | undefined;
  try {
    snapshot = await openSnapshot(file, busyTimeoutMs);
    await copySnapshot(snapshot, target, onProgress);
  } catch (error) {
    throw translate(error, file);
  } finally {
    snapshot?.close();
  }
}

/** The open snapshot spares the copy from starting again at every write of another process: it always ends. */
export async function copySnapshot(
  snapshot: Database,
  target: string,
  onProgress?: (progress: BackupProgress) => void,
): Promise<void> {
  try {
    const { totalPages } = await snapshot.backup(target, {
      progress: ({ totalPages: total, remainingPages }) => {
        onProgress?.({ done: total - remainingPages, total });
        return PAGES_PER_STEP;
      },
    });
    // better-sqlite3 takes a step that found the source locked for the last one.
    if (totalPages === 0) {
      throw new KeepsakeError('BUSY', `${snapshot.name} is empty or locked.`, { hint: 'Try again.' });
    }
    onProgress?.({ done: totalPages, total: totalPages });
  } catch (error) {
    // Full disks and failed writes are the target's, everything else is the source's.
    const ofTarget = isSqliteError(error) && /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(error.code);
    throw translate(error, ofTarget ? finalName(target) : snapshot.name);
  }
}

function inspectCopy(file: string): Pick<CopyOutcome, 'damage' | 'counts'> {
  const database = new SqliteDatabase(file);
  try {
    // The copy says that it has a write-ahead log, like its original; as a single file it needs none.
    database.pragma('journal_mode = DELETE');
    const damage = complaints(database);
    return { damage, counts: damage.length === 0 ? countContent(database) : undefined };
  } catch (error) {
    // SQLITE_ERROR: a table is missing.
    if (!isSqliteError(error) || !/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code)) throw error;
    return { damage: [error.message], counts: undefined };
  } finally {
    database.close();
  }
}

/** Forgotten records and deleted messages are not content any more. */
export function countContent(database: Database): ContentCounts {
  const count = (sql: string): number => database.prepare(sql).pluck().get() as number;
  return {
    records: count('SELECT count(*) FROM records WHERE forgotten_at IS NULL'),
    messages: count('SELECT count(*) FROM messages WHERE deleted_at IS NULL'),
  };
}
