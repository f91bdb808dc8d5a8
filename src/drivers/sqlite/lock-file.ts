/** One lock file: an empty SQLite database whose exclusive transaction, never written to, is the lock. */
import {
  accessSync,
  type BigIntStats,
  chmodSync,
  constants,
  lstatSync,
  statfsSync,
  utimesSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { SqliteDatabase } from './engine-package.ts';
import { isBusy } from './errors.ts';

const PRIVATE = 0o600;

interface Connection {
  readonly database: Database;
  readonly begin: Statement<[]>;
  readonly rollback: Statement<[]>;
  readonly identity: string;
  proven: boolean;
}

/**
 * SQLite's POSIX locks belong to the process: opening and closing the file once more with `fs` would drop them. So
 * everything here that is not SQLite goes by path (lstat, chmod, utimes) and never by a file descriptor.
 */
export class LockFile {
  readonly #file: string;
  #connection: Connection | undefined;
  #lastCall = 0n;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the lock if it is free at this moment. Blocks for some ten microseconds at most. */
  tryAcquire(): boolean {
    this.#connection ??= this.#open();
    const { database, begin, rollback, identity } = this.#connection;
    try {
      if (!this.#connection.proven) keepJournalInMemory(database);
      begin.run();
    } catch (error) {
      if (isBusy(error)) {
        this.#callOut();
        return false;
      }
      this.close();
      throw this.#explain(error);
    }
    try {
      if (!this.#connection.proven) proveWritable(database);
      this.#connection.proven = true;
    } catch (error) {
      this.close();
      throw this.#explain(error);
    }
    // Someone may have deleted the lock file: then this lock is on a nameless file and others lock a new one.
    const stat = lookAt(this.#file);
    if (stat !== undefined && identityOf(stat) === identity) {
      this.#lastCall = stat.mtimeNs;
      return true;
    }
    rollback.run();
    this.close();
    return false;
  }

  /** Frees the lock, and tells whether another process asked for it meanwhile. */
  release(): { wanted: boolean } {
    this.#connection?.rollback.run();
    return { wanted: (lookAt(this.#file)?.mtimeNs ?? this.#lastCall) !== this.#lastCall };
  }

  close(): void {
    this.#connection?.database.close();
    this.#connection = undefined;
  }

  /** Waiters touch the file, so that a holder that comes back at once can notice and let them pass. */
  #callOut(): void {
    const seconds = (performance.timeOrigin + performance.now()) / 1_000;
    try {
      utimesSync(this.#file, seconds, seconds);
    } catch {
      // Another user's file may not be touched: then the waiter depends on luck, as without this courtesy.
    }
  }

  #open(): Connection {
    let database: Database | undefined;
    try {
      const before = lookAt(this.#file);
      if (before !== undefined) refuseStrangers(before, this.#file);
      database = new SqliteDatabase(this.#file, { timeout: 0 });
      // SQLite creates files with 0644. Another user's lock file cannot be changed and need not be.
      if (before === undefined) chmodSync(this.#file, PRIVATE);
      const after = lookAt(this.#file);
      const replaced =
        after === undefined || (before !== undefined && identityOf(before) !== identityOf(after));
      return {
        database,
        begin: database.prepare('BEGIN EXCLUSIVE'),
        rollback: database.prepare('ROLLBACK'),
        // Replaced while it was opened: an identity that no file has makes the next attempt open it again.
        identity: replaced ? '' : identityOf(after),
        proven: false,
      };
    } catch (error) {
      database?.close();
      throw KeepsakeError.is(error) ? error : this.#explain(error);
    }
  }

  /** SQLite says "unable to open" for every reason; the folder itself knows better. */
  #explain(error: unknown): KeepsakeError {
    const folder = dirname(this.#file);
    const options = { cause: error, details: { file: this.#file } };
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      if (lookAt(this.#file) !== undefined) accessSync(this.#file, constants.R_OK | constants.W_OK);
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code === 'ENOENT') {
        return new KeepsakeError(
          'NOT_FOUND',
          `The lock file ${this.#file} cannot be created: its folder is missing.`,
          options,
        );
      }
      if ((reason as NodeJS.ErrnoException).code === 'EROFS') {
        return new KeepsakeError(
          'PERMISSION',
          `${folder} is on a read-only file system; it can only be read.`,
          {
            ...options,
            hint: 'Copy the workspace to a file system that can be written.',
          },
        );
      }
      return new KeepsakeError('PERMISSION', `The lock file ${this.#file} may not be written (${reason}).`, {
        ...options,
        hint: `Check the owner and the mode of ${folder} and of what is in it.`,
      });
    }
    const space = statfsSync(folder);
    if (space.bavail === 0 || (space.files > 0 && space.ffree === 0)) {
      return new KeepsakeError(
        'STORAGE_FULL',
        `The lock file ${this.#file} cannot be created: the disk is full.`,
        {
          ...options,
          hint: 'Free some space and try again; nothing was changed.',
        },
      );
    }
    return new KeepsakeError('STORAGE_FAILED', `The lock file ${this.#file} cannot be locked: ${error}`, {
      ...options,
      hint: 'Network file systems without working locks are not supported; otherwise check the disk.',
    });
  }
}

function refuseStrangers(stat: BigIntStats, file: string): void {
  if (stat.isFile() && stat.size === 0n) return;
  throw new KeepsakeError(
    'CORRUPT',
    `${file} is in the way: a lock file of Keepsake is an empty regular file.`,
    {
      hint: 'Look at what it is; move it away or delete it, then try again.',
    },
  );
}

function lookAt(file: string): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}

/** The time of birth tells a file from its successor with the same inode number. */
function identityOf(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`;
}

/** Else BEGIN EXCLUSIVE would create a journal beside an empty database. Needs a read lock, so it can be busy too. */
function keepJournalInMemory(database: Database): void {
  database.pragma('journal_mode = MEMORY');
}

/**
 * SQLite falls back to reading when it may not write, and then BEGIN EXCLUSIVE locks nobody out. A change of the header
 * fails in that case; otherwise it stays in memory and is rolled back.
 */
function proveWritable(database: Database): void {
  database.pragma('user_version = 1');
}
