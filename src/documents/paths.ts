/** Resolves links in the path of a document, and checks that it is inside its folder. */
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileStat, Files } from '../ports/files.ts';
import { errnoOf, isMissing, storageError } from './errors.ts';
import { OPEN_FOLDER } from './files.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

export interface Place {
  /** Real path: no part of it was a link when it was looked up. */
  readonly path: string;
  readonly folder: string;
  /** Folders that do not exist yet, outermost first. */
  readonly missingFolders: readonly string[];
  /** Absent when the document does not exist. */
  readonly stat: FileStat | undefined;
}

/**
 * A link inside the root that leads to another place inside the root is followed, and the file it leads to is the
 * document: it is locked and replaced there, and the link stays. A link that leads out, or nowhere, is refused.
 */
export async function locate(files: Files, root: string, path: string): Promise<Place> {
  const base = resolve(root);
  const wanted = resolve(base, path);
  if (path.includes('\0') || root.includes('\0')) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      `${JSON.stringify(path)} cannot be a path: it contains a NUL character.`,
    );
  }
  if (!isInside(base, wanted)) throw outside(path, base);
  try {
    const realRoot = await realPlaceOf(files, base);
    const real = await realPlaceOf(files, wanted);
    if (!isInside(realRoot.path, real.path)) throw outside(path, base);
    const stat = real.missing.length === 0 ? await files.lstat(real.path) : undefined;
    if (stat !== undefined) refuseUnlessFile(stat, real.path);
    return { path: real.path, folder: dirname(real.path), missingFolders: real.missing.slice(0, -1), stat };
  } catch (error) {
    throw lookupError(error, wanted);
  }
}

export function refuseUnlessFile(stat: FileStat, path: string): void {
  if (stat.kind === 'file') return;
  const what =
    stat.kind === 'folder' ? 'a folder' : stat.kind === 'link' ? 'a link' : 'a device, pipe or socket';
  throw new KeepsakeError('INVALID_INPUT', `${path} is ${what}, not a file.`, {
    hint: 'Give the path of a regular text file.',
    details: { path },
  });
}

/** Creates what is missing, and makes each new folder's entry durable in its parent. */
export async function createFolders(files: Files, place: Place): Promise<void> {
  for (const folder of place.missingFolders) {
    try {
      await files.mkdir(folder, PRIVATE_FOLDER);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw storageError(error, 'created', folder);
    }
    try {
      await syncFolder(files, dirname(folder));
    } catch (error) {
      throw storageError(error, 'made durable', folder);
    }
  }
}

/** A renamed, linked or removed name is safe from a power failure only when its folder is synced. */
export async function syncFolder(files: Files, folder: string): Promise<void> {
  // Windows cannot sync a folder and needs not: its file systems journal names.
  if (process.platform === 'win32') return;
  const handle = await files.open(folder, OPEN_FOLDER);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Refuses when a link was slipped into the path after it was looked up. */
export async function refuseIfMoved(files: Files, path: string): Promise<void> {
  if ((await files.realpath(path)) === path) return;
  throw new KeepsakeError('FORBIDDEN', `${path} was replaced by a link while it was being opened.`, {
    hint: 'Someone is moving folders under the workspace; find out who, then try again.',
    details: { path },
  });
}

export function lookupError(error: unknown, path: string, doing = 'looked up'): unknown {
  const errno = errnoOf(error);
  if (errno === 'ELOOP') return linkTrouble(path, 'is or contains a link that must not be followed');
  if (errno === 'ENOTDIR') {
    return new KeepsakeError('INVALID_INPUT', `${path} cannot exist: a part of it is a file, not a folder.`, {
      cause: error,
      details: { path },
    });
  }
  if (errno === 'ENAMETOOLONG') {
    return new KeepsakeError('INVALID_INPUT', `${path} is too long for the file system.`, { cause: error });
  }
  return storageError(error, doing, path);
}

interface RealPlace {
  readonly path: string;
  /** Everything on the way that does not exist, outermost first, the last being `path` itself. */
  readonly missing: readonly string[];
}

/** realpath also for what does not exist: the real path of the nearest folder that does, and the rest as given. */
async function realPlaceOf(files: Files, path: string): Promise<RealPlace> {
  const beyond: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      const real = await files.realpath(at);
      const missing: string[] = [];
      for (const name of beyond) missing.push(join(missing.at(-1) ?? real, name));
      return { path: missing.at(-1) ?? real, missing };
    } catch (error) {
      if (!isMissing(error) || at === dirname(at)) throw error;
    }
    if (await isLink(files, at)) throw linkTrouble(at, 'is a link that leads nowhere');
    beyond.unshift(relative(dirname(at), at));
  }
}

async function isLink(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.lstat(path)).kind === 'link';
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(path: string, root: string): KeepsakeError {
  return new KeepsakeError('FORBIDDEN', `${path} leads out of ${root}.`, {
    hint: 'Documents must stay inside the workspace, also when links are followed.',
    details: { path, root },
  });
}

function linkTrouble(path: string, what: string): KeepsakeError {
  return new KeepsakeError('FORBIDDEN', `${path} ${what}.`, {
    hint: 'Replace the link by a regular file or folder.',
    details: { path },
  });
}
