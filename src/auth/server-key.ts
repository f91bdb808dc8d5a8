/** The key of the workspace's owner: a private file that the first start of a server makes, and that local programs read. */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { KeepsakeError } from '../kernel/errors.ts';
import { idOfSecret, makeKeyId, makeSecret } from './api-key.ts';

const PRIVATE = 0o600;
const OTHERS = 0o077;

/** Undefined when no server was ever started here. */
export function readServerKey(path: string): string | undefined {
  let descriptor: number;
  try {
    // Not through a link: whoever could plant one would choose the key.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(path, cause);
  }
  try {
    if ((fstatSync(descriptor).mode & OTHERS) !== 0) chmodSync(path, PRIVATE);
    const secret = readFileSync(descriptor, 'utf8').trim();
    if (idOfSecret(secret) === undefined) throw unusable(path, undefined);
    return secret;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the key, or makes it. Two servers that start at once end up with the same one. */
export function ensureServerKey(path: string): { readonly secret: string; readonly created: boolean } {
  const present = readServerKey(path);
  if (present !== undefined) return { secret: present, created: false };
  const id = makeKeyId();
  const draft = `${path}.${id}`;
  try {
    const descriptor = openSync(draft, 'wx', PRIVATE);
    writeSync(descriptor, `${makeSecret(id)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    // The name appears with all of the content, and only if nobody was faster.
    linkSync(draft, path);
    return { secret: readServerKey(path)!, created: true };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, cause);
    return { secret: readServerKey(path)!, created: false };
  } finally {
    rmSync(draft, { force: true });
  }
}

function unusable(path: string, cause: unknown): KeepsakeError {
  if (KeepsakeError.is(cause)) return cause;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return new KeepsakeError(
    code === 'EACCES' || code === 'EPERM' ? 'PERMISSION' : 'CORRUPT',
    `${path} cannot be used as the key of the server${code === undefined ? '' : ` (${code})`}.`,
    { hint: 'Remove the file; the next start of the server makes a new key.', cause },
  );
}
