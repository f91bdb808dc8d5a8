/** Creates, lists and revokes API keys of a workspace; only local users may do this. */
import { join } from 'node:path';
import {
  type ApiKey,
  type CreatedKey,
  ensureServerKey,
  KeyFile,
  KeyRing,
  type KeyState,
  KeyUse,
  keyState,
  leaveMark,
  makeKeyId,
  makeSecret,
  type NewKeyInput,
} from '../auth/index.ts';
import { openFileLock, parseDuration } from '../config/index.ts';
import { type Clock, DAY, systemClock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { FileLock } from '../ports/file-lock.ts';
import { makeHiddenFolder, type WorkspacePaths } from '../workspace/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { ApiKey, CreatedKey, KeyRing, KeyState, NewKeyInput };
export { keyState, parseDuration };

/** How long the old key stays valid after a rotation, if nobody says otherwise. */
const OVERLAP_MS = DAY;

export interface KeysTarget extends WorkspaceTarget {
  readonly clock: Clock;
}

type KeyPaths = Pick<WorkspacePaths, 'root' | 'dataFolder'>;

export const keysFile = ({ dataFolder }: KeyPaths): string => join(dataFolder, 'keys.json');

/** For a server, which notes each use. */
export function openKeyUse(paths: KeyPaths, lock: FileLock, clock: Clock): KeyUse {
  return new KeyUse({ path: join(paths.dataFolder, 'key-use.json'), root: paths.root, lock, clock });
}

interface KeyFiles {
  readonly keys: KeyFile;
  readonly use: KeyUse;
}

async function withKeys<T>(
  { workspace, clock }: KeysTarget,
  work: (files: KeyFiles) => Promise<T>,
): Promise<T> {
  const { paths } = locate({ workspace });
  const lock = await openFileLock();
  try {
    const keys = new KeyFile({ path: keysFile(paths), root: paths.root, lock, clock });
    return await work({ keys, use: openKeyUse(paths, lock, clock) });
  } finally {
    await lock.close();
  }
}

/** Makes a key; its secret is in the answer and nowhere else. */
export function keysCreate(input: NewKeyInput, target: KeysTarget): Promise<CreatedKey> {
  return withKeys(target, ({ keys }) => keys.create(input));
}

export function keysList(target: KeysTarget): Promise<readonly ApiKey[]> {
  return withKeys(target, async ({ keys, use }) => {
    const used = await use.read();
    return (await keys.list()).map((key) => ({ ...key, ...defined({ lastUsedAt: used[key.id] }) }));
  });
}

/** Creates a key with the same permissions; the old one expires after the overlap (a day). */
export function keysRotate(
  idOrName: string,
  overlapMs: number | undefined,
  target: KeysTarget,
): Promise<CreatedKey> {
  return withKeys(target, ({ keys }) => keys.rotate(idOrName, overlapMs ?? OVERLAP_MS));
}

export function keysRevoke(idOrName: string, target: KeysTarget): Promise<ApiKey> {
  return withKeys(target, ({ keys }) => keys.revoke(idOrName));
}

export interface OpenedKeys {
  readonly keys: KeyRing;
  /** Where the secret of the owner is. */
  readonly serverKeyFile: string;
  readonly created: boolean;
  /** Tells programs of this machine where the server listens, until the function that it returns is called. */
  announce(url: string, startedAt: number): () => void;
}

/** For a server: all keys, with that of the owner, which is made when it is missing. */
export function openKeyRing(paths: KeyPaths, clock: Clock = systemClock): OpenedKeys {
  makeHiddenFolder(paths.dataFolder);
  const serverKeyFile = join(paths.dataFolder, 'server.key');
  const { secret, created } = ensureServerKey(serverKeyFile);
  const keys = new KeyRing({ path: keysFile(paths), serverSecret: secret, clock });
  const announce = (url: string, startedAt: number): (() => void) => {
    const id = makeKeyId();
    const pass = makeSecret(id);
    keys.trust(pass);
    return leaveMark(paths.dataFolder, id, { url, secret: pass, startedAt });
  };
  return { keys, serverKeyFile, created, announce };
}
