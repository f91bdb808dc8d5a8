/** The SQLite engine: one file that holds the log, the records, the state and the events. */
import type { Database } from 'better-sqlite3';
import type { Storage } from '../../ports/storage.ts';
import { AgentCounters } from './agent-counters.ts';
import { SqliteErasing } from './erasing.ts';
import { translate } from './errors.ts';
import { SqliteEventStore } from './event-store.ts';
import { areWordsStale, refreshWords } from './fresh-words.ts';
import { GroupWriter } from './group-writer.ts';
import { SqliteItemStore } from './item-store.ts';
import { SqliteLeaseStore } from './lease-store.ts';
import { SqliteLogStore } from './log-store.ts';
import { sqliteMaintenance } from './maintenance/maintenance.ts';
import { SqliteMessageBus } from './message-bus.ts';
import { openDatabase } from './open-database.ts';
import { SqliteQuarantineStore } from './quarantine-store.ts';
import { RecordCache } from './record-cache.ts';
import { SqliteRecordCopies } from './record-copies.ts';
import { SqliteRecordStore } from './record-store.ts';
import { SqliteRunStore } from './run-store.ts';
import { SqliteStateStore } from './state-store.ts';
import { ResidentSearch } from './text/index.ts';
// From its own file: public types that lead to better-sqlite3 would need its types in every app.
import type { TextSearch } from './text/text-search.ts';
import { TextIndex } from './text-index.ts';
import { SqliteTokenStore } from './tokens/token-store.ts';
import { openVectors } from './vectors/index.ts';
import type { VectorSearch } from './vectors/scanner.ts';
import { SqliteVectorFeed } from './vectors/vector-feed.ts';
import { WarmUp } from './warm-up.ts';
import { Witness } from './witness.ts';

export interface SqliteOptions {
  /** Path of the database file; its folder is created. */
  readonly file: string;
  /** How long a write waits for other processes before it fails with BUSY. */
  readonly busyTimeoutMs?: number;
  /**
   * How vectors are searched; every way gives the same answer. `wasm` (the default) keeps them in memory, `plain` reads
   * them each time, and `sqlite-vec` lets the extension of that name do it, which has to be installed.
   */
  readonly vectorSearch?: VectorSearch;
  /** Search with `wasm` where `sqlite-vec` cannot be loaded, instead of failing. */
  readonly vectorFallback?: boolean;
  /**
   * How words are searched; every way gives the same answer. `auto` (the default) asks FTS5 and, in a process that lives
   * longer, an index in memory that it makes in the background; `resident` makes that one on the first search, which waits
   * for it; `fts5` never does.
   */
  readonly textSearch?: TextSearch;
}

export const DEFAULT_BUSY_TIMEOUT_MS = 10_000;

export async function openSqlite({
  file,
  busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS,
  vectorSearch = 'wasm',
  vectorFallback = false,
  textSearch = 'auto',
}: SqliteOptions): Promise<Storage> {
  const database = await openDatabase({ file, busyTimeoutMs });
  try {
    return await openStores(database, { file, busyTimeoutMs, vectorSearch, vectorFallback, textSearch });
  } catch (error) {
    database.close();
    throw translate(error, file);
  }
}

async function openStores(
  database: Database,
  { file, busyTimeoutMs, vectorSearch, vectorFallback, textSearch }: Required<SqliteOptions>,
): Promise<Storage> {
  const writer = new GroupWriter(database, busyTimeoutMs, file);
  const cache = new RecordCache(database);
  const resident = textSearch === 'fts5' ? undefined : new ResidentSearch(database, cache, textSearch);
  const index = new TextIndex(database, resident);
  if (areWordsStale(database)) await writer.run(() => refreshWords(database, index));
  const events = new SqliteEventStore(database, writer);
  const vectors = await openVectors(database, writer, cache, {
    search: vectorSearch,
    hasFallback: vectorFallback,
  });
  if (resident !== undefined && textSearch === 'auto') {
    const warmUp = new WarmUp(database, cache, vectors.cache);
    resident.onReady = () => warmUp.begin();
  }
  const counters = new AgentCounters(database);
  for (const part of [index, counters]) writer.register(part);
  const witness = new Witness(database, writer);
  let closing: Promise<void> | undefined;
  return {
    records: new SqliteRecordStore({
      ...{ database, writer, events, cache, index, vectors, counters },
      readsSmallScopes: textSearch === 'auto',
    }),
    copies: new SqliteRecordCopies(database, writer, events, index, vectors, counters),
    feed: new SqliteVectorFeed(database, writer),
    tokens: new SqliteTokenStore(database, writer),
    log: new SqliteLogStore(database, writer),
    state: new SqliteStateStore(database, writer),
    bus: new SqliteMessageBus(database, writer),
    runs: new SqliteRunStore(database, writer),
    events,
    leases: new SqliteLeaseStore(database, writer),
    quarantine: new SqliteQuarantineStore(database, writer, events),
    items: new SqliteItemStore(database, writer),
    erasing: new SqliteErasing(database, writer),
    maintenance: sqliteMaintenance({ database, writer, index, file, busyTimeoutMs }),
    close: () => {
      closing ??= writer.close().then(() => {
        witness.close();
        database.close();
      });
      return closing;
    },
  };
}
