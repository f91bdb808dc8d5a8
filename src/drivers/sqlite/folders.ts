/** Makes the folders that a database file stands in. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const PRIVATE_FOLDER = 0o700;

/**
 * Makes a folder and those above it that are missing, and returns the outermost that was made. Not with `recursive`:
 * Node never comes back where the system denies that a folder can be made although its parent is there, as in /proc.
 */
export function makeFolders(folder: string): string | undefined {
  const missing: string[] = [];
  let nearest = resolve(folder);
  for (; statSync(nearest, { throwIfNoEntry: false }) === undefined; nearest = dirname(nearest)) {
    missing.unshift(nearest);
    if (nearest === dirname(nearest)) break;
  }
  // A file in place of the folder: making it fails with the reason.
  if (missing.length === 0 && !isFolder(nearest)) mkdirSync(nearest);
  return missing.filter(makeOne)[0];
}

/** False when another process was faster. */
function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(folder)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
