/** The SQLite driver. */

export { sqliteFileLock } from './file-lock.ts';
export {
  type ExamineOptions,
  examineSqlite,
  type RestoreSqliteOptions,
  restoreSqlite,
} from './maintenance/index.ts';
export { DEFAULT_BUSY_TIMEOUT_MS, openSqlite, type SqliteOptions } from './storage.ts';
