/** The only place that knows drivers by name; each is loaded when it is first needed. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Finding, RestoreOptions, RestoreReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';
import { STORES, type StorageConfig } from './storage.ts';

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

function refuseUnavailable(storage: StorageConfig): void {
  for (const name of STORES) {
    const { driver } = storage[name];
    if (driver === 'sqlite' || (driver === 'redis' && name === 'state')) continue;
    throw new KeepsakeError(
      'UNSUPPORTED',
      `storage.${name}.driver: "${driver}" is not available in this version.`,
      {
        hint: 'Use "sqlite", or leave the key out.',
      },
    );
  }
}

export async function openStorage({ storage, database }: StorageLocation): Promise<Storage> {
  refuseUnavailable(storage);
  const { openSqlite } = await loadSqlite();
  const embedded = await openSqlite({ file: database, busyTimeoutMs: storage.sqlite.busyTimeoutMs });
  if (storage.state.driver !== 'redis') return embedded;
  return withRedis(embedded, storage.state.url);
}

/** Working states and the messages of runs belong together: both pass. */
async function withRedis(embedded: Storage, url: string): Promise<Storage> {
  try {
    const { openRedis } = await import('../drivers/redis/index.ts');
    const { state, bus, close } = await openRedis({ url });
    const closeBoth = async (): Promise<void> => {
      await close();
      await embedded.close();
    };
    return { ...embedded, state, bus, close: closeBoth };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Examines a storage that nobody has opened, that does not exist yet, or that cannot be opened any more. */
export async function examineStorage(
  { storage, database }: StorageLocation,
  options: { readonly fix: boolean; readonly now: number },
): Promise<readonly Finding[]> {
  refuseUnavailable(storage);
  const { examineSqlite } = await loadSqlite();
  return examineSqlite({ ...options, file: database, busyTimeoutMs: storage.sqlite.busyTimeoutMs });
}

/** Brings a backup back, also in the place of a storage that is damaged or gone. */
export async function restoreStorage(
  { storage, database }: StorageLocation,
  source: string,
  options: RestoreOptions,
): Promise<RestoreReport> {
  refuseUnavailable(storage);
  const { restoreSqlite } = await loadSqlite();
  return restoreSqlite({
    ...options,
    source,
    file: database,
    busyTimeoutMs: storage.sqlite.busyTimeoutMs,
  });
}

/** The lock around files that people edit; the kernel frees it when a process dies. */
export async function openFileLock(): Promise<FileLock> {
  const { sqliteFileLock } = await loadSqlite();
  return sqliteFileLock();
}
