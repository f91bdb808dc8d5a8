/** The SQLite driver. */
export { DEFAULT_BUSY_TIMEOUT_MS, openSqlite, type SqliteOptions } from './storage.ts';
