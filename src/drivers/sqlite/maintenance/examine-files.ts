/** Checks of the files around a database: who may read them, whether there is room, what was left behind. */
import { chmod, readdir, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HOUR } from '../../../kernel/clock.ts';
import type { Finding } from '../../../ports/maintenance.ts';
import { counted, some } from './examine-check.ts';
import { PARTIAL, SIDE_FILES } from './private-files.ts';

const OTHERS = 0o077;
/** A file that is written to is younger; an older one belongs to a process that died. */
const ABANDONED_AFTER = HOUR;
const MEGABYTE = 1024 * 1024;
const COMFORTABLE_SPACE = 64 * MEGABYTE;

export interface FilesOptions {
  readonly file: string;
  readonly fix: boolean;
  readonly now: number;
}

/** Everything here goes by path: a file descriptor on the database would drop the locks of this process. */
export async function examineFiles(options: FilesOptions): Promise<Finding[]> {
  const names = await readdir(dirname(options.file));
  return [
    ...(process.platform === 'win32' ? [] : [await fileModes(options), await folderMode(options, names)]),
    await freeSpace(options),
    await leftovers(options, names),
    rescued(names),
  ];
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

async function fileModes({ file, fix }: FilesOptions): Promise<Finding> {
  const open: string[] = [];
  for (const side of ['', ...SIDE_FILES]) {
    const found = await stat(`${file}${side}`).catch(() => undefined);
    if (found !== undefined && (found.mode & OTHERS) !== 0) open.push(`${file}${side}`);
  }
  const check = 'files.modes';
  if (open.length === 0) return { check, severity: 'ok', message: 'Only you can read the database.' };
  if (fix) for (const path of open) await chmod(path, 0o600);
  return {
    check,
    severity: 'problem',
    message: `Other users of this machine can read the database (${some(open)}).`,
    hint: `Run "keepsake doctor --fix", or "chmod 600 ${open[0]}".`,
    fixable: true,
    ...(fix ? { fixed: true } : {}),
  };
}

async function folderMode({ file, fix }: FilesOptions, names: readonly string[]): Promise<Finding> {
  const folder = dirname(file);
  const { mode } = await stat(folder);
  const check = 'files.folder';
  if ((mode & OTHERS) === 0)
    return { check, severity: 'ok', message: 'Only you can list the folder of the database.' };
  // A folder that holds other things too may be open on purpose; closing it is not ours to decide.
  const isOurs = (name: string) => name === '.gitignore' || /^keepsake/.test(name);
  const ours = names.every((name) => name.startsWith(basename(file)) || isOurs(name));
  if (fix && ours) await chmod(folder, 0o700);
  return {
    check,
    severity: (mode & 0o022) === 0 ? 'notice' : 'problem',
    message: `Other users of this machine can look into ${folder} (mode ${octal(mode)}).`,
    hint: `Run "chmod 700 ${folder}".`,
    fixable: ours,
    ...(fix && ours ? { fixed: true } : {}),
  };
}

async function freeSpace({ file }: FilesOptions): Promise<Finding> {
  const { bavail, bsize } = await statfs(dirname(file));
  const free = bavail * bsize;
  const wanted = (await stat(file)).size + COMFORTABLE_SPACE;
  const megabytes = `${Math.floor(free / MEGABYTE)} MB`;
  const check = 'database.room';
  if (free >= wanted) return { check, severity: 'ok', message: `${megabytes} are free on the disk.` };
  return {
    check,
    severity: 'notice',
    message: `Only ${megabytes} are free on the disk; a backup or a repair needs ${Math.ceil(wanted / MEGABYTE)} MB.`,
    hint: 'Free some space.',
    fixable: false,
  };
}

async function leftovers({ file, fix, now }: FilesOptions, names: readonly string[]): Promise<Finding> {
  const folder = dirname(file);
  const abandoned: string[] = [];
  for (const name of names) {
    if (!isPartial(name)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < now - ABANDONED_AFTER) abandoned.push(name);
  }
  const check = 'database.leftovers';
  if (abandoned.length === 0)
    return { check, severity: 'ok', message: 'No unfinished copies were left behind.' };
  if (fix) for (const name of abandoned) await rm(join(folder, name), { force: true });
  return {
    check,
    severity: 'notice',
    message: `${counted(abandoned.length, 'unfinished copy was', 'unfinished copies were')} left behind in ${folder} (${some(abandoned)}).`,
    hint: 'Run "keepsake doctor --fix" to remove them.',
    fixable: true,
    ...(fix ? { fixed: true } : {}),
  };
}

/** `<name>.<twelve hex digits>.partial`, and what SQLite puts beside it. */
function isPartial(name: string): boolean {
  const bare = SIDE_FILES.reduce(
    (rest, side) => (rest.endsWith(side) ? rest.slice(0, -side.length) : rest),
    name,
  );
  return bare.endsWith(PARTIAL) && /\.[0-9a-f]{12}$/.test(bare.slice(0, -PARTIAL.length));
}

function rescued(names: readonly string[]): Finding {
  const copies = names.filter((name) => /^keepsake-(damaged|salvaged)-.*\.db$/.test(name));
  const check = 'database.rescued';
  if (copies.length === 0)
    return { check, severity: 'ok', message: 'There are no copies of damaged databases.' };
  return {
    check,
    severity: 'notice',
    message: `There ${copies.length === 1 ? 'is a copy' : `are ${copies.length} copies`} of damaged databases (${some(copies)}).`,
    hint: 'Delete them when you are sure that nothing is missing.',
    fixable: false,
  };
}
