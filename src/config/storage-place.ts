/** Resolves, checks and opens a storage that was named on the command line. */

import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { withoutPassword } from '../kernel/addresses.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Storage } from '../ports/storage.ts';
import { parseConfig } from './load.ts';
import { examineStorage, openStorage, setStorageAside } from './registry.ts';
import { DEFAULT_DATABASE, type StorageConfig } from './storage.ts';

export type StoragePlace =
  | { readonly driver: 'sqlite' /** Absolute. */; readonly file: string }
  | { readonly driver: 'postgres'; readonly url: string };

/** `sqlite:<file>`, relative to the workspace as in keepsake.jsonc, or `postgresql://…`. */
export function readStoragePlace(name: string, root: string): StoragePlace {
  const file = /^sqlite:(?:\/\/)?(.+)$/s.exec(name)?.[1];
  if (file !== undefined) return { driver: 'sqlite', file: resolve(root, file) };
  if (/^postgres(?:ql)?:\/\//.test(name)) return { driver: 'postgres', url: name };
  throw new KeepsakeError('INVALID_INPUT', `"${withoutPassword(name)}" is not a storage.`, {
    hint: 'Write "sqlite:data/keepsake.db" or "postgresql://user@host/database".',
  });
}

/** Where the configured one has what lasts. */
export function configuredPlace({ records }: StorageConfig, database: string): StoragePlace {
  if (records.driver === 'sqlite') return { driver: 'sqlite', file: database };
  if (records.driver === 'postgres') return { driver: 'postgres', url: records.url };
  throw new KeepsakeError('UNSUPPORTED', `Memories cannot be moved out of "${records.driver}".`, {
    hint: 'Pass another storage with --from.',
  });
}

/** Without a password, to be shown and stored. */
export function describePlace(place: StoragePlace): string {
  return place.driver === 'sqlite' ? `sqlite:${place.file}` : withoutPassword(place.url);
}

/** The block of keepsake.jsonc that makes it the storage of a workspace. */
export function placeAsConfig(place: StoragePlace, root: string): Record<string, unknown> {
  if (place.driver === 'postgres') return { driver: 'postgres', url: withoutPassword(place.url) };
  const below = relative(root, place.file).replaceAll('\\', '/');
  const isOutside = below.startsWith('../') || isAbsolute(below);
  const file = isOutside ? place.file : below;
  return { driver: 'sqlite', ...(file === DEFAULT_DATABASE ? {} : { sqlite: { file } }) };
}

function locationOf(place: StoragePlace) {
  if (place.driver === 'sqlite') {
    return { storage: parseConfig({ storage: { driver: 'sqlite' } }).storage, database: place.file };
  }
  const { driver, url } = place;
  return { storage: parseConfig({ storage: { driver, url } }).storage, database: '' };
}

/** Whether it has tables of ours already; nothing is made by asking. */
export async function isStorageThere(place: StoragePlace): Promise<boolean> {
  if (place.driver === 'sqlite') return existsSync(place.file);
  const findings = await examineStorage(locationOf(place), { fix: false, now: 0 });
  const server = findings.find(({ check }) => check === 'database.server');
  if (server?.severity === 'problem') {
    throw new KeepsakeError('UNAVAILABLE', server.message, defined({ hint: server.hint }));
  }
  const version = findings.find(({ check }) => check === 'database.version');
  return !(version?.message.startsWith('Nothing here yet') ?? true);
}

/** Keeps what is there under another name, which it returns, so that the place is empty. */
export async function setPlaceAside(place: StoragePlace, stamp: string): Promise<string> {
  // Brings everything into the file, and refuses what is not ours.
  await (await openStoragePlace(place)).close();
  return setStorageAside(locationOf(place), stamp);
}

export function openStoragePlace(place: StoragePlace): Promise<Storage> {
  return openStorage(locationOf(place));
}
