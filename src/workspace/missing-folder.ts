/** Explains why a workspace cannot be opened: it is missing, a file, or a broken link. */
import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { KeepsakeError } from '../kernel/errors.ts';

/** A workspace may be missing, to be made later; what is in the way of making it is an error at once. */
export function refuseUnlessFolder(path: string): void {
  const stats = statOf(path, statSync);
  if (stats !== undefined) {
    if (stats.isDirectory()) return;
    throw new KeepsakeError('INVALID_INPUT', `${path} is a file, but a workspace needs a folder there.`, {
      hint: 'Choose another folder, or move that file away.',
    });
  }
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (statOf(folder, lstatSync)?.isSymbolicLink() && statOf(folder, statSync) === undefined) {
      throw danglingLink(folder);
    }
  }
}

/** A name that was mistyped must not become a new, empty workspace. A link that leads nowhere is refused by whoever follows it. */
export function refuseMissing(path: string): void {
  if (statOf(resolve(path), lstatSync) !== undefined) return;
  throw new KeepsakeError('NOT_FOUND', `There is no workspace at ${resolve(path)}.`, {
    hint: `Create it with "keepsake init ${path}", or correct its name.`,
  });
}

function danglingLink(path: string): KeepsakeError {
  return new KeepsakeError(
    'NOT_FOUND',
    `${path} is a symbolic link to ${readlinkSync(path)}, which does not exist.`,
    { hint: 'Create the folder that it leads to, or correct the link.' },
  );
}

/** Undefined also where nobody may look: whoever opens the folder will say so. */
function statOf(
  path: string,
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') return undefined;
    throw new KeepsakeError('INVALID_INPUT', `A part of the path ${path} is a file.`, {
      hint: 'Choose a folder.',
      cause: error,
    });
  }
}
