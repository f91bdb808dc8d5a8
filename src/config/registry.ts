/** The only place that knows drivers by name; each is loaded when it is first needed. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { Storage } from '../ports/storage.ts';
import { STORES, type StorageConfig } from './storage.ts';

interface StorageLocation {
  readonly storage: StorageConfig;
  /** The database file as an absolute path. */
  readonly database: string;
}

export async function openStorage({ storage, database }: StorageLocation): Promise<Storage> {
  for (const name of STORES) {
    const { driver } = storage[name];
    if (driver === 'sqlite') continue;
    throw new KeepsakeError(
      'UNSUPPORTED',
      `storage.${name}.driver: "${driver}" is not available in this version.`,
      {
        hint: 'Use "sqlite", or leave the key out.',
      },
    );
  }
  const { openSqlite } = await import('../drivers/sqlite/index.ts');
  return openSqlite({ file: database, busyTimeoutMs: storage.sqlite.busyTimeoutMs });
}
