/** The SQLite engine: one file that holds the log, the records, the state and the events. */
import type { Database } from 'better-sqlite3';
import type { Storage } from '../../ports/storage.ts';
import { translate } from './errors.ts';
import { SqliteEventStore } from './event-store.ts';
import { GroupWriter } from './group-writer.ts';
import { SqliteLogStore } from './log-store.ts';
import { sqliteMaintenance } from './maintenance/maintenance.ts';
import { openDatabase } from './open-database.ts';
import { SqliteRecordStore } from './record-store.ts';
import { SqliteStateStore } from './state-store.ts';
import { TextIndex } from './text-index.ts';

export interface SqliteOptions {
  /** Path of the database file; its folder is created. */
  readonly file: string;
  /** How long a write waits for other processes before it fails with BUSY. */
  readonly busyTimeoutMs?: number;
}

export const DEFAULT_BUSY_TIMEOUT_MS = 10_000;

export async function openSqlite({
  file,
  busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS,
}: SqliteOptions): Promise<Storage> {
  const database = await openDatabase({ file, busyTimeoutMs });
  try {
    return await openStores(database, file, busyTimeoutMs);
  } catch (error) {
    database.close();
    throw translate(error, file);
  }
}

async function openStores(database: Database, file: string, busyTimeoutMs: number): Promise<Storage> {
  const writer = new GroupWriter(database, busyTimeoutMs);
  const index = new TextIndex(database);
  if (index.stale) await writer.run(() => index.stale && index.rebuild());
  const events = new SqliteEventStore(database, writer);
  let closing: Promise<void> | undefined;
  return {
    records: new SqliteRecordStore(database, writer, events, index),
    log: new SqliteLogStore(database, writer),
    state: new SqliteStateStore(database, writer),
    events,
    maintenance: sqliteMaintenance({ database, file, busyTimeoutMs }),
    close: () => {
      closing ??= writer.close().then(() => {
        database.close();
      });
      return closing;
    },
  };
}
