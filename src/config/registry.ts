/** The only place that knows drivers by name; each is loaded when it is first needed. */
import { existsSync, renameSync } from 'node:fs';
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Finding, RestoreOptions, RestoreReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';
import { STORES, type StorageConfig, type StoreChoice, type VectorsChoice } from './storage.ts';

interface StorageLocation {
  readonly storage: StorageConfig;
  /** The database file as an absolute path. */
  readonly database: string;
}

/** SQLite's native part crashes the process on an older Node, which no one could make sense of. */
const OLDEST_NODE = [22, 13] as const;

async function loadSqlite() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new KeepsakeError(
      'UNSUPPORTED',
      `Keepsake needs Node ${OLDEST_NODE.join('.')} or newer and this is ${process.versions.node}.`,
      { hint: 'Install a newer Node, for example with "npm install node@24" beside Keepsake.' },
    );
  }
  return import('../drivers/sqlite/index.ts');
}

/** What holds everything that lasts; `url` for an engine with a server. */
type MainEngine = { readonly driver: 'sqlite' } | { readonly driver: 'postgres'; readonly url: string };

/** Records, log and events are written in one transaction, so they share an engine; states may have one of their own. */
function mainEngine(storage: StorageConfig): MainEngine {
  const { records } = storage;
  const isMain = (choice: StoreChoice): boolean => JSON.stringify(choice) === JSON.stringify(records);
  for (const name of STORES) {
    if (isMain(storage[name]) || storage[name].driver === 'redis') continue;
    throw new KeepsakeError(
      'UNSUPPORTED',
      `storage.${name} and storage.records must have the same engine, because they are written in one transaction.`,
      { hint: `Remove storage.${name}. Only storage.state can use another engine ("redis").` },
    );
  }
  return records.driver === 'sqlite' ? { driver: 'sqlite' } : { driver: 'postgres', url: records.url };
}

export async function openStorage({ storage, database }: StorageLocation): Promise<Storage> {
  const main = await openMain(mainEngine(storage), { storage, database });
  const indexed = storage.vectors === undefined ? main : await withIndex(main, storage.vectors);
  if (storage.state.driver !== 'redis') return indexed;
  return sharedThrough(indexed, storage.state);
}

async function openMain(engine: MainEngine, { storage, database }: StorageLocation): Promise<Storage> {
  if (engine.driver === 'postgres') {
    const { openPostgres } = await import('../drivers/postgres/index.ts');
    return openPostgres({ url: engine.url, resident: { bytes: storage.postgres.searchMemoryMb * 2 ** 20 } });
  }
  const { openSqlite } = await loadSqlite();
  const { busyTimeoutMs, vectorSearch } = storage.sqlite;
  return openSqlite({ file: database, busyTimeoutMs, vectorSearch, vectorFallback: true });
}

async function withIndex(main: Storage, vectors: VectorsChoice): Promise<Storage> {
  try {
    const { withQdrant } = await import('../drivers/qdrant/index.ts');
    return withQdrant(main, vectors);
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Runs, their working states and their messages belong together: whoever shares one of them shares all. Limits and news come along. */
async function sharedThrough(
  main: Storage,
  { url, namespace }: { readonly url: string; readonly namespace?: string },
): Promise<Storage> {
  try {
    const { withRedis } = await import('../drivers/redis/index.ts');
    return await withRedis(main, { url, namespace });
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Examines a storage that nobody has opened, that does not exist yet, or that cannot be opened any more. */
export async function examineStorage(
  place: StorageLocation,
  options: { readonly fix: boolean; readonly now: number },
): Promise<readonly Finding[]> {
  const engine = mainEngine(place.storage);
  const findings = await examineMain(engine, place, options);
  return [
    ...findings,
    ...(await examineIndex(engine, findings, place, options)),
    ...(await examineShared(place)),
  ];
}

/** An index can only be compared with an engine that is there and sound. */
async function examineIndex(
  engine: MainEngine,
  found: readonly Finding[],
  place: StorageLocation,
  { fix }: { readonly fix: boolean },
): Promise<readonly Finding[]> {
  const { vectors } = place.storage;
  const isSound = found.every(({ severity, fixed }) => severity !== 'problem' || fixed === true);
  const isThere = engine.driver === 'postgres' || existsSync(place.database);
  if (vectors === undefined || !isSound || !isThere) return [];
  const main = await openMain(engine, place);
  try {
    const { examineQdrant } = await import('../drivers/qdrant/index.ts');
    return await examineQdrant(main, { ...vectors, fix });
  } finally {
    await main.close();
  }
}

async function examineShared({ storage }: StorageLocation): Promise<readonly Finding[]> {
  if (storage.state.driver !== 'redis') return [];
  const { examineRedis } = await import('../drivers/redis/index.ts');
  return examineRedis({ url: storage.state.url });
}

async function examineMain(
  engine: MainEngine,
  { storage, database }: StorageLocation,
  options: { readonly fix: boolean; readonly now: number },
): Promise<readonly Finding[]> {
  if (engine.driver === 'postgres') {
    const { examinePostgres } = await import('../drivers/postgres/index.ts');
    return examinePostgres({ url: engine.url, fix: options.fix });
  }
  const { examineSqlite } = await loadSqlite();
  return examineSqlite({ ...options, file: database, busyTimeoutMs: storage.sqlite.busyTimeoutMs });
}

/** Brings a backup back, also in the place of a storage that is damaged or gone. */
export async function restoreStorage(
  { storage, database }: StorageLocation,
  source: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const engine = mainEngine(storage);
  if (engine.driver === 'postgres') {
    const { restorePostgresFrom } = await import('../drivers/postgres/index.ts');
    return restorePostgresFrom(engine.url, source, options);
  }
  const { restoreSqlite } = await loadSqlite();
  return restoreSqlite({
    ...options,
    source,
    file: database,
    busyTimeoutMs: storage.sqlite.busyTimeoutMs,
  });
}

/** Renames the closed file, or the schema of Postgres; says what it is called then. Whoever has it open must be stopped before. */
export async function setStorageAside(
  { storage, database }: StorageLocation,
  stamp: string,
): Promise<string> {
  const engine = mainEngine(storage);
  if (engine.driver === 'postgres') {
    const { setPostgresAside } = await import('../drivers/postgres/index.ts');
    return setPostgresAside(engine.url, stamp);
  }
  const kept = `${database}.aside-${stamp}`;
  for (const side of ['', '-wal', '-shm', '.seen']) {
    if (existsSync(`${database}${side}`)) renameSync(`${database}${side}`, `${kept}${side}`);
  }
  return kept;
}

/** The lock around files that people edit; the kernel frees it when a process dies. */
export async function openFileLock(): Promise<FileLock> {
  const { sqliteFileLock } = await loadSqlite();
  return sqliteFileLock();
}
