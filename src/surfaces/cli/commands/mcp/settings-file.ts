/** Reads and replaces a settings file of another program: with a backup, in one step, and only if it is still the same. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { decodeText } from '../../read-stdin.ts';
import type { Edit } from './settings-format.ts';

/** Settings may hold keys of other servers. */
const PRIVATE = 0o600;

export function readSettings(file: string): string | undefined {
  try {
    return decodeText(readFileSync(file), file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (KeepsakeError.is(cause)) throw cause;
    throw new KeepsakeError('PERMISSION', `${file} cannot be read.`, {
      hint: 'Change its permissions, or add the lines that --print shows by hand.',
      cause,
    });
  }
}

/** `20261116T055901Z`, which every file system takes. */
const stamp = (now: number): string => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

function freeName(base: string): string {
  for (let i = 0; ; i++) {
    const name = i === 0 ? base : `${base}-${i}`;
    if (!existsSync(name)) return name;
  }
}

/** What the file held before each change; a file that "mcp install" made and nobody changed since has none. */
export function backupsOf(file: string): readonly string[] {
  const [folder, start] = [dirname(file), `${basename(file)}.backup-`];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(start)) : [];
  return names.flatMap((name) => readSettings(join(folder, name)) ?? []);
}

/** A link leads into a repository of somebody's settings, where a missing file would be noticed. */
export function removeSettings(file: string, { before }: Edit): boolean {
  if (lstatSync(file).isSymbolicLink() || readSettings(file) !== before) return false;
  rmSync(file);
  return true;
}

/** Those in which nothing is left, up to the home of the user; nothing outside of it. */
export function removeEmptyFolders(file: string, home: string): void {
  const isInside = (folder: string) => folder.startsWith(`${home}${sep}`);
  for (let folder = dirname(file); isInside(folder); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** Returns the path of the backup; undefined for a file that is new. */
export function replaceSettings(file: string, { before, after }: Edit, now: number): string | undefined {
  const isNew = !existsSync(file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Dotfiles are often links into a repository; the link stays.
    const real = isNew ? file : realpathSync(file);
    if ((readSettings(real) ?? '') !== before) {
      throw new KeepsakeError('CONFLICT', `${file} was changed by another program just now.`, {
        hint: 'Nothing was written; run the command again.',
      });
    }
    const backup = isNew ? undefined : freeName(`${file}.backup-${stamp(now)}`);
    if (backup !== undefined) copyFileSync(real, backup);
    const draft = join(dirname(real), `.keepsake-${process.pid}.tmp`);
    try {
      writeFileSync(draft, after, { mode: PRIVATE, flag: 'wx', flush: true });
      if (!isNew) chmodSync(draft, statSync(real).mode & 0o777);
      renameSync(draft, real);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    return backup;
  } catch (cause) {
    if (KeepsakeError.is(cause)) throw cause;
    throw new KeepsakeError('PERMISSION', `${file} cannot be written.`, {
      hint: 'Nothing was changed. Change its permissions, or add the lines that --print shows by hand.',
      cause,
    });
  }
}
