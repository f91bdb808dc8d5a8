/** Writes .gitignore files that keep keys and memories out of a Git repository around the workspace. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './folders.ts';

/** Never fails: a folder without it works as well, and what could not be written shows where it matters. */
export function keepOutOfGit(folder: string): void {
  const file = join(folder, '.gitignore');
  if (existsSync(file) || !existsSync(folder)) return;
  try {
    writeFileSync(file, '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Empty, it would keep nothing out and look as if it did.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
  }
}

/** As makeFolder. Whoever takes the file away from a folder that is there means it, and does not get it back. */
export function makeHiddenFolder(path: string): boolean {
  const isNew = makeFolder(path);
  if (isNew) keepOutOfGit(path);
  return isNew;
}

/** For a folder that comes to be by the way, while something else is made. */
export async function hideIfNew<T>(folder: string, make: () => Promise<T>): Promise<T> {
  const wasThere = existsSync(folder);
  const made = await make();
  if (!wasThere) keepOutOfGit(folder);
  return made;
}
