/** API keys of a workspace: made, listed, revoked, and looked up by a server. Only people at the machine do this. */
import { join } from 'node:path';
import {
  type ApiKey,
  type CreatedKey,
  ensureServerKey,
  KeyFile,
  KeyRing,
  leaveMark,
  makeKeyId,
  makeSecret,
  type NewKeyInput,
} from '../auth/index.ts';
import { openFileLock } from '../config/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { makeHiddenFolder, type WorkspacePaths } from '../workspace/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { ApiKey, CreatedKey, KeyRing, NewKeyInput };

export interface KeysTarget extends WorkspaceTarget {
  readonly clock: Clock;
}

type KeyPaths = Pick<WorkspacePaths, 'root' | 'dataFolder'>;

export const keysFile = ({ dataFolder }: KeyPaths): string => join(dataFolder, 'keys.json');

async function withKeys<T>(
  { workspace, clock }: KeysTarget,
  work: (keys: KeyFile) => Promise<T>,
): Promise<T> {
  const { paths } = locate({ workspace });
  const lock = await openFileLock();
  try {
    return await work(new KeyFile({ path: keysFile(paths), root: paths.root, lock, clock }));
  } finally {
    await lock.close();
  }
}

/** Makes a key; its secret is in the answer and nowhere else. */
export function keysCreate(input: NewKeyInput, target: KeysTarget): Promise<CreatedKey> {
  return withKeys(target, (keys) => keys.create(input));
}

export function keysList(target: KeysTarget): Promise<readonly ApiKey[]> {
  return withKeys(target, (keys) => keys.list());
}

export function keysRevoke(idOrName: string, target: KeysTarget): Promise<ApiKey> {
  return withKeys(target, (keys) => keys.revoke(idOrName));
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
export function openKeyRing(paths: KeyPaths): OpenedKeys {
  makeHiddenFolder(paths.dataFolder);
  const serverKeyFile = join(paths.dataFolder, 'server.key');
  const { secret, created } = ensureServerKey(serverKeyFile);
  const keys = new KeyRing({ path: keysFile(paths), serverSecret: secret });
  const announce = (url: string, startedAt: number): (() => void) => {
    const id = makeKeyId();
    const pass = makeSecret(id);
    keys.trust(pass);
    return leaveMark(paths.dataFolder, id, { url, secret: pass, startedAt });
  };
  return { keys, serverKeyFile, created, announce };
}
