/** Files beside a database: names that nobody else has, private modes, synced to disk, errors in plain words. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ErrorCode, KeepsakeError } from '../../../kernel/errors.ts';
import { translate } from '../errors.ts';
import { makeFolders } from '../folders.ts';

/** Work in progress; doctor sweeps those that a crash left behind. */
export const PARTIAL = '.partial';
/** What SQLite may put beside a database file. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

const PRIVATE_FILE = 0o600;

export function partialName(target: string): string {
  return `${target}.${randomBytes(6).toString('hex')}${PARTIAL}`;
}

/** The name that people know, for messages. */
export function finalName(partial: string): string {
  return partial.replace(/\.[0-9a-f]{12}\.partial$/, '');
}

/** For file names: sorts by time and holds no character that any file system minds. */
export function timestamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:.]/g, '');
}

/** The mode is set by creating the file here: SQLite would make it readable for everyone. */
export async function createPrivateFile(file: string): Promise<void> {
  makeFolders(dirname(file));
  const handle = await open(file, 'wx', PRIVATE_FILE);
  await handle.close();
}

/** SQLite puts its log beside the file that a symbolic link leads to, so that is where everything else belongs too. */
export async function realPath(file: string): Promise<string> {
  return realpath(file).catch(() => resolve(file));
}

export async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

export async function sameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [a, b].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}

export async function refuseExisting(target: string): Promise<void> {
  if (await exists(target)) {
    throw new KeepsakeError('CONFLICT', `${target} exists already and is not overwritten.`, {
      hint: 'Choose another name, or move the file away first.',
    });
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a new name durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a finished file its name, unless that name was taken meanwhile. */
export async function place(partial: string, target: string): Promise<void> {
  try {
    // A link fails where a rename would overwrite.
    await link(partial, target);
    await rm(partial);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') await refuseExisting(target);
    // Some file systems know no links; there a name taken in this very moment is the smaller evil.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
    await refuseExisting(target);
    await rename(partial, target);
  }
  await syncFolder(dirname(target));
}

/**
 * Removes a database that nobody uses, with everything that SQLite put beside it. Called to tidy up, so it never fails:
 * what went wrong before matters more, and doctor finds what stays.
 */
export async function removeDatabase(file: string): Promise<void> {
  for (const side of ['', ...SIDE_FILES]) await rm(`${file}${side}`, { force: true }).catch(() => {});
}

/**
 * Only for a file that no connection of this process has open: closing it here would drop the locks of all of them.
 */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const FILE_ERRORS: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  ENOENT: ['NOT_FOUND', 'does not exist', 'Check the path.'],
  ENOSPC: ['STORAGE_FULL', 'could not be written: the disk is full', 'Free some space and try again.'],
  EDQUOT: ['STORAGE_FULL', 'could not be written: the quota is used up', 'Free some space and try again.'],
  EACCES: ['PERMISSION', 'may not be used', 'Check the owner and the mode of the file and of its folder.'],
  EPERM: ['PERMISSION', 'may not be used', 'Check the owner and the mode of the file and of its folder.'],
  EROFS: ['PERMISSION', 'is on a read-only file system', 'Choose another place.'],
  EEXIST: ['CONFLICT', 'cannot be created: something is in the way', 'Choose another name.'],
  EISDIR: ['INVALID_INPUT', 'is a folder', 'Name a file.'],
  ENOTDIR: ['INVALID_INPUT', 'is below something that is not a folder', 'Check the path.'],
  ENAMETOOLONG: ['INVALID_INPUT', 'has too long a name', 'Choose a shorter one.'],
};

/** Says in plain words what happened to `file`; what is neither the system's nor SQLite's passes unchanged. */
export function explain(thrown: unknown, file: string): unknown {
  if (KeepsakeError.is(thrown)) return thrown;
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code ?? '';
  const known = FILE_ERRORS[code];
  if (known !== undefined) {
    const [ours, what, hint] = known;
    return new KeepsakeError(ours, `${file} ${what} (${code}).`, { cause: thrown, hint });
  }
  if ((thrown as NodeJS.ErrnoException | undefined)?.syscall !== undefined) {
    return new KeepsakeError('STORAGE_FAILED', `${file} could not be read or written (${code}).`, {
      cause: thrown,
      hint: 'Check the disk.',
    });
  }
  return translate(thrown, file);
}
