/** Checks of the engine itself: its version, how a connection is set up, and what its journal looks like. */
import { stat } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import type { Finding } from '../../../ports/maintenance.ts';
import { SqliteDatabase } from '../engine-package.ts';
import { isSafeSqlite, openDatabase, sqliteVersion } from '../open-database.ts';
import { type Check, some } from './examine-check.ts';

export function examineEngine(): Finding {
  const memory = new SqliteDatabase(':memory:');
  try {
    const version = sqliteVersion(memory);
    if (isSafeSqlite(version))
      return { check: 'sqlite.version', severity: 'ok', message: `SQLite ${version}.` };
    return {
      check: 'sqlite.version',
      severity: 'problem',
      message: `SQLite ${version} can corrupt databases; 3.51.3 or newer is needed.`,
      hint: 'Install better-sqlite3 13 or newer.',
      fixable: false,
    };
  } finally {
    memory.close();
  }
}

/** Pragma → value that durability and erasure depend on. */
const SETTINGS = { journal_mode: 'wal', synchronous: 2, secure_delete: 1, foreign_keys: 1 } as const;

/** Looks at a connection that is in use, whose settings nobody else can see. */
export function examineConnection(connection: Database, fix: boolean): Finding {
  const wrong = (): string[] =>
    Object.entries(SETTINGS)
      .filter(([name, value]) => connection.pragma(name, { simple: true }) !== value)
      .map(([name]) => name);
  const check = 'database.connection';
  const found = wrong();
  if (found.length === 0) {
    return { check, severity: 'ok', message: 'What is acknowledged is on disk (WAL, synchronous FULL).' };
  }
  if (fix)
    for (const name of found) connection.pragma(`${name} = ${SETTINGS[name as keyof typeof SETTINGS]}`);
  return {
    check,
    severity: 'problem',
    message: `This connection does not keep its promises (${some(found)}).`,
    hint: 'Open the workspace again.',
    fixable: true,
    ...(fix ? { fixed: wrong().length === 0 } : {}),
  };
}

const journal: Check = {
  check: 'database.journal',
  fine: 'The database has a write-ahead log.',
  look(snapshot) {
    const mode = snapshot.pragma('journal_mode', { simple: true });
    if (mode === 'wal') return undefined;
    return {
      severity: 'notice',
      message: `The journal mode is ${mode} instead of WAL, so readers and writers wait for each other.`,
      hint: 'It is set when the workspace is opened next.',
    };
  },
  // Opening the connection that mends has set it already.
  mend: () => {},
};

const references: Check = {
  check: 'database.references',
  fine: 'No row refers to a missing row.',
  look(snapshot) {
    const rows = snapshot.pragma('foreign_key_check') as { table: string; parent: string }[];
    if (rows.length === 0) return undefined;
    const pairs = new Set(rows.map(({ table, parent }) => `${table} without ${parent}`));
    return {
      message: `${rows.length} rows refer to missing rows (${some([...pairs])}).`,
      hint: 'A backup may still have them.',
    };
  },
};

export const ENGINE_CHECKS: readonly Check[] = [journal];
export const REFERENCE_CHECKS: readonly Check[] = [references];

/** The size at which SQLite cuts the log back; it is larger only when a reader never lets go. */
const LARGE_LOG = 64 * 1024 * 1024;

export async function examineLogSize(file: string, fix: boolean, busyTimeoutMs: number): Promise<Finding> {
  const size = async (): Promise<number> => (await stat(`${file}-wal`).catch(() => undefined))?.size ?? 0;
  const check = 'database.log';
  const before = await size();
  if (before <= LARGE_LOG)
    return { check, severity: 'ok', message: 'The size of the write-ahead log is normal.' };
  let after = before;
  if (fix) {
    // A database that may not be opened keeps its log; why, other findings tell.
    const database = await openDatabase({ file, busyTimeoutMs }).catch(() => undefined);
    database?.pragma('wal_checkpoint(TRUNCATE)');
    database?.close();
    after = await size();
  }
  return {
    check,
    severity: 'notice',
    message: `The write-ahead log has ${Math.round(before / 1024 / 1024)} MB: a process has been reading for a long time.`,
    hint: 'Find the process that has the database open for long; "keepsake doctor --fix" empties the log.',
    fixable: true,
    ...(fix ? { fixed: after <= LARGE_LOG } : {}),
  };
}
