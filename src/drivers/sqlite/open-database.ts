/** Opens a Keepsake database: refuses what it must not touch, sets what durability needs, brings the schema up to date. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { whileBusy } from './busy.ts';
import { SqliteDatabase } from './engine-package.ts';
import { failedFile, isSqliteError, notAllowed, translate } from './errors.ts';
import { strangeKind } from './file-kind.ts';
import { makeFolders } from './folders.ts';
import { refreshWords } from './fresh-words.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts';
import { isOnReadOnlyFileSystem, openInMemory } from './read-only-file-system.ts';
import { unusableFile } from './unusable-file.ts';
import { readWitness, refuseGone, refuseOlder } from './witness.ts';
import { refuseDamage } from './write-ahead-log.ts';

/** "KEEP" in ASCII: marks the file as ours, so that a stranger's database is never migrated. */
export const APPLICATION_ID = 0x4b454550;
/** Older ones can corrupt a database in WAL mode (the WAL-reset defect, mended in 3.51.3). */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** How long SQLite itself may block a thread; beyond that we wait without blocking. */
const BLOCKING_WAIT_MS = 50;

export interface OpenOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
}

export function sqliteVersion(database: Database): string {
  return database.prepare('SELECT sqlite_version()').pluck().get() as string;
}

export function isSafeSqlite(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of OLDEST_SQLITE.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

function refuseStrangeKinds(file: string): void {
  const kind = strangeKind(file);
  if (kind === undefined) return;
  throw new KeepsakeError('INVALID_INPUT', `${file} is ${kind}, not a database file.`, {
    hint: 'Choose another file in storage.sqlite.file.',
  });
}

/** Creates the file with mode 0600 before SQLite can create it with a wider one. */
function createPrivately(file: string): boolean {
  const folder = dirname(file);
  const outermost = makeFolders(folder);
  try {
    closeSync(openSync(file, 'wx', 0o600));
    syncFolders(folder, outermost ?? folder);
    return true;
  } catch (error) {
    // Never open an existing database with fs: closing it would drop the locks of this process.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Names of new folders and files are safe from a power failure only once the folders they stand in are synced. */
function syncFolders(innermost: string, outermost: string): void {
  // Windows cannot sync a folder and needs not: its file systems journal names.
  if (process.platform === 'win32') return;
  const end = dirname(outermost);
  for (let folder = innermost; ; folder = dirname(folder)) {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (folder === end || folder === dirname(folder)) return;
  }
}

/** Looks through a read-only connection, which changes nothing, not even the write-ahead log. */
function refuseStrangers(file: string): void {
  try {
    lookInto(file, { readonly: true });
  } catch (error) {
    // A crash while the file was created left a journal that must be rolled back before anyone can read.
    if (!isSqliteError(error) || error.code !== 'SQLITE_READONLY_ROLLBACK') throw error;
    lookInto(file, { readonly: false });
  }
}

function lookInto(file: string, { readonly }: { readonly: boolean }): void {
  const seen = readWitness(file);
  const database = new SqliteDatabase(file, { readonly, fileMustExist: true, timeout: 5_000 });
  try {
    // One transaction: else another process could finish creating the file between two of the questions.
    database.exec('BEGIN');
    const application = database.pragma('application_id', { simple: true }) as number;
    const version = database.pragma('user_version', { simple: true }) as number;
    const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
    if (application !== APPLICATION_ID && tables > 0) {
      throw new KeepsakeError('CONFLICT', `${file} is a database of another program.`, {
        hint: 'Choose another file in storage.sqlite.file.',
      });
    }
    if (version > SCHEMA_VERSION) {
      throw new KeepsakeError(
        'TOO_NEW',
        `${file} was written by a newer Keepsake (schema ${version}; this one knows up to ${SCHEMA_VERSION}). It was not touched.`,
        {
          hint: 'Install a newer version of Keepsake for this program.',
          details: { found: version, known: SCHEMA_VERSION },
        },
      );
    }
    refuseOlder(file, seen, database);
  } finally {
    database.close();
  }
}

function configure(database: Database): void {
  if (database.pragma('journal_mode', { simple: true }) !== 'wal') database.pragma('journal_mode = WAL');
  // better-sqlite3 defaults to NORMAL in WAL mode, which loses acknowledged writes when the power fails.
  database.pragma('synchronous = FULL');
  database.pragma('secure_delete = ON');
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -32000');
  database.pragma('journal_size_limit = 67108864');
  // Four times the default: pages that many writes share go to the database once, and writers wait for that less often.
  database.pragma('wal_autocheckpoint = 4000');
}

/** Applies the migrations after `user_version`, all or none, one process at a time. */
export function migrate(database: Database, upTo: number = SCHEMA_VERSION): void {
  if ((database.pragma('user_version', { simple: true }) as number) >= upTo) return;
  database
    .transaction(() => {
      const from = database.pragma('user_version', { simple: true }) as number;
      for (let version = from; version < upTo; version++) database.exec(MIGRATIONS[version]!);
      if (from < upTo) database.pragma(`user_version = ${upTo}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

export async function openDatabase({ file, busyTimeoutMs }: OpenOptions): Promise<Database> {
  let database: Database | undefined;
  try {
    refuseStrangeKinds(file);
    refuseGone(file);
    if (isOnReadOnlyFileSystem(file)) return openForReading(file);
    const created = createPrivately(file);
    if (!created) {
      refuseDamage(file);
      await whileBusy(busyTimeoutMs, () => refuseStrangers(file));
    }
    const opened = new SqliteDatabase(file, { timeout: BLOCKING_WAIT_MS });
    database = opened;
    const version = sqliteVersion(opened);
    if (!isSafeSqlite(version)) {
      throw new KeepsakeError(
        'UNSUPPORTED',
        `SQLite ${version} can corrupt databases; 3.51.3 or newer is needed.`,
        {
          hint: 'Install better-sqlite3 13 or newer.',
        },
      );
    }
    await whileBusy(busyTimeoutMs, () => configure(opened));
    await whileBusy(busyTimeoutMs, () => migrate(opened));
    return opened;
  } catch (error) {
    database?.close();
    throw translateOpening(error, file);
  }
}

/** Writes are refused by the writer. */
function openForReading(file: string): Database {
  refuseDamage(file);
  const seen = readWitness(file);
  const database = openInMemory(file);
  try {
    refuseOlder(file, seen, database);
    migrate(database);
    database.transaction(() => refreshWords(database))();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function translateOpening(error: unknown, file: string): unknown {
  const { code, path = file, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const unusable = code === 'EACCES' ? unusableFile(file) : undefined;
  if (unusable !== undefined) return notAllowed(unusable, code!, error);
  // EEXIST and ENOTDIR: a file is where the folder should be. ENOENT: the system makes no folders there, as in /proc.
  if (
    code !== undefined &&
    ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOENT', 'ELOOP'].includes(code)
  ) {
    return new KeepsakeError('PERMISSION', `The database ${file} cannot be created (${code}).`, {
      cause: error,
      hint: 'Check the owner and the mode of the folder, or choose another workspace.',
    });
  }
  if (code === 'ENOSPC') {
    return new KeepsakeError('STORAGE_FULL', `The database ${file} cannot be created: the disk is full.`, {
      cause: error,
      hint: 'Free some space and try again.',
    });
  }
  if (code !== undefined && syscall !== undefined) return failedFile(path, code, error);
  return translate(error, file);
}
