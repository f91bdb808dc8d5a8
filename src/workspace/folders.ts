/** Creates private folders, with an error that explains why one could not be created. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ErrorCode, KeepsakeError } from '../kernel/errors.ts';
import { refuseUnlessFolder } from './missing-folder.ts';

const FAILURES: Readonly<Record<string, { code: ErrorCode; hint: string }>> = {
  EACCES: { code: 'PERMISSION', hint: 'Choose a folder that you may write to, or change its permissions.' },
  EPERM: { code: 'PERMISSION', hint: 'Choose a folder that you may write to, or change its permissions.' },
  EROFS: { code: 'PERMISSION', hint: 'The file system is read-only; choose another folder.' },
  ENOSPC: { code: 'STORAGE_FULL', hint: 'Free some space on the disk and try again.' },
  EDQUOT: { code: 'STORAGE_FULL', hint: 'Your disk quota is used up; free some space and try again.' },
  ENOENT: {
    code: 'PERMISSION',
    hint: 'The system lets nobody create anything there; choose another folder.',
  },
  ENOTDIR: { code: 'INVALID_INPUT', hint: 'A part of the path is a file; choose a folder.' },
  ENAMETOOLONG: { code: 'INVALID_INPUT', hint: 'Choose a shorter path.' },
};

/** Says in plain words why something could not be created. */
export function creationFailure(path: string, cause: unknown): KeepsakeError {
  const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const { code, hint } = FAILURES[errno] ?? { code: 'STORAGE_FAILED', hint: 'Check the disk and try again.' };
  return new KeepsakeError(code, `${path} cannot be created: ${errno || String(cause)}.`, {
    hint,
    cause,
    details: { path },
  });
}

/** Makes a folder and those above it that are missing. True when the folder was made, false when it was there. */
export function makeFolder(path: string): boolean {
  try {
    return makeMissing(resolve(path));
  } catch (error) {
    refuseUnlessFolder(resolve(path));
    throw creationFailure(path, error);
  }
}

/**
 * One level at a time. Not with `recursive`: Node never comes back where the system denies that a folder can be made
 * although its parent is there, as in /proc.
 */
function makeMissing(path: string): boolean {
  const missing: string[] = [];
  let nearest = path;
  for (; statSync(nearest, { throwIfNoEntry: false }) === undefined; nearest = dirname(nearest)) {
    missing.unshift(nearest);
    if (nearest === dirname(nearest)) break;
  }
  // A file in place of the folder: making it fails with the reason.
  if (missing.length === 0 && !isFolder(path)) mkdirSync(path);
  return missing.map(makeOne).at(-1) ?? false;
}

/** False when another process was faster. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
