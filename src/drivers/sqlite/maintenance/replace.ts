/** Replaces the content of a database in one transaction while other processes have it open. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { whileBusy } from '../busy.ts';
import { isBusy, translate } from '../errors.ts';

const PAGES_PER_STEP = 1_024;
/** The engine asks once for the lock and gives up; between the commits of busy writers it is free for moments only. */
const PAUSE_MS = 2;

export interface Replacement {
  /** The new content, in a file of its own with the same page size. */
  readonly stage: Database;
  readonly file: string;
  readonly busyTimeoutMs: number;
  /**
   * Runs while nobody can write to `file` and before its first page changes; it may still change the stage.
   * When it fails, nothing happens.
   */
  readonly prepare: () => Promise<void>;
}

export async function replaceContent(replacement: Replacement): Promise<void> {
  const { file, busyTimeoutMs } = replacement;
  if (file !== file.trim()) {
    throw new KeepsakeError(
      'UNSUPPORTED',
      `"${file}" begins or ends with a space; the engine cannot write to it.`,
      {
        hint: 'Rename the file.',
      },
    );
  }
  const deadline = performance.now() + busyTimeoutMs;
  while (!(await attempt(replacement))) {
    if (performance.now() >= deadline) {
      throw new KeepsakeError('BUSY', `${file} is in use by another process; nothing was changed.`, {
        hint: 'Try again, or raise storage.sqlite.busyTimeoutMs.',
      });
    }
    await sleep(PAUSE_MS);
  }
}

/** False when another connection held the write lock. */
async function attempt({ stage, file, prepare }: Replacement): Promise<boolean> {
  let begun = false;
  let prepared = false;
  let failure: { readonly error: unknown } | undefined;
  const progress = (): number => {
    // SQLite's backup locks its target for writing at the first step, which copies nothing. Asking for no pages again
    // and again keeps that lock; pages that were copied become visible to others all together, after the last one.
    if (!begun) {
      begun = true;
      prepare().then(
        () => {
          prepared = true;
        },
        (error: unknown) => {
          failure = { error };
        },
      );
    }
    if (failure !== undefined) throw failure.error;
    return prepared ? PAGES_PER_STEP : 0;
  };
  try {
    await stage.backup(file, { progress });
  } catch (error) {
    throw translate(error, file);
  }
  // A target that is locked ends the backup of better-sqlite3 as if it were complete, without asking for progress.
  return prepared;
}

/**
 * Makes a replacement durable: the backup commits without waiting for the disk, but one commit of a connection with
 * synchronous = FULL brings everything before it to disk as well. Then the write-ahead log is emptied if nobody reads it.
 */
export async function seal(live: Database, busyTimeoutMs: number): Promise<void> {
  try {
    await whileBusy(busyTimeoutMs, () => commitNothing(live));
  } catch (error) {
    // Others hold the lock, so their commit does the same.
    if (!isBusy(error)) throw error;
  }
  live.pragma('wal_checkpoint(TRUNCATE)');
}

function commitNothing(live: Database): void {
  live.exec('BEGIN IMMEDIATE');
  try {
    // The same version again: a write that changes nothing.
    live.pragma(`user_version = ${live.pragma('user_version', { simple: true })}`);
    live.exec('COMMIT');
  } finally {
    if (live.inTransaction) live.exec('ROLLBACK');
  }
}
