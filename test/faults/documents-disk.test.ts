/** Documents on a disk that is really full, and in folders that may really not be written. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { programOf } from './support/program.ts';

const CHILD = programOf('documents-child', import.meta.dirname);
const SIZE = '64k';

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-disk-')));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Runs a child and returns what it reported. */
function run(command: readonly string[]): Record<string, unknown> {
  const { stdout, stderr, status } = spawnSync(command[0]!, command.slice(1), {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The first way in which this machine lets us mount something that only the child sees and that vanishes with it. */
function privately(script: string, folder: string): string[] | undefined {
  const ways = [
    ['unshare', '--mount'],
    ['unshare', '--user', '--map-root-user', '--mount'],
  ].map((way) => [...way, 'sh', '-c', `${script} && exec "$@"`, folder]);
  return ways.find(([program, ...options]) => spawnSync(program!, [...options, 'true']).status === 0);
}

it('a full disk: STORAGE_FULL, the old content intact, nothing left behind, and all well once there is room', () => {
  const folder = makeFolder();
  const smallDisk = privately(`mount -t tmpfs -o size=${SIZE},mode=0777 tmpfs "$0"`, folder);
  if (smallDisk === undefined) {
    console.warn('Nothing can be mounted here: the limit on file sizes stands for the full disk.');
    return underLimit(folder);
  }
  const full = ['STORAGE_FULL', true];
  expect(run([...smallDisk, process.execPath, CHILD, 'full', folder])).toEqual({
    replace: full,
    update: full,
    append: full,
    create: full,
    appendHalf: full,
    replaceNone: full,
    healthy: true,
    left: ['.MEMORY.md.lock', '.new.md.lock', 'filler'],
  });
});

/** 40 blocks of 512 bytes: the document has 18,000 bytes, so an append of 6,000 is cut short by the kernel. */
function underLimit(folder: string): void {
  const limit = ['sh', '-c', `trap '' XFSZ; ulimit -f 40; exec "$@"`, 'sh'];
  expect(run([...limit, process.execPath, CHILD, 'limited', folder])).toEqual({
    replace: ['STORAGE_FAILED', true],
    append: ['STORAGE_FAILED', true],
    fits: true,
  });
}

it('a limit on file sizes: real short writes are taken back', () => underLimit(makeFolder()));

/** Root may do everything, so nobody has to try. */
const asNobody =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

const DENIED = {
  replace: 'PERMISSION',
  update: 'PERMISSION',
  append: 'PERMISSION',
  remove: 'PERMISSION',
  create: 'PERMISSION',
};

it('a folder that may not be written: PERMISSION for every change, reading works, nothing changes', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'MEMORY.md'), 'old');
  chmodSync(join(folder, 'MEMORY.md'), 0o644);
  chmodSync(folder, 0o555);
  expect(run([...asNobody, process.execPath, CHILD, 'forbidden', folder])).toEqual({
    ...DENIED,
    read: 'old',
    createInFolder: 'PERMISSION',
    hold: 'PERMISSION',
  });
  expect(readdirSync(folder)).toEqual(['MEMORY.md']);
  expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe('old');
});

it('a folder that may not be entered, and a document that may not be read', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'MEMORY.md'), 'old');
  chmodSync(folder, 0o000);
  const closed = run([...asNobody, process.execPath, CHILD, 'forbidden', folder]);
  expect(new Set(Object.values(closed))).toEqual(new Set(['PERMISSION']));
  chmodSync(folder, 0o777);
  chmodSync(join(folder, 'MEMORY.md'), 0o000);
  const unreadable = run([...asNobody, process.execPath, CHILD, 'forbidden', folder]);
  expect([unreadable.read, unreadable.update, unreadable.append]).toEqual(Array(3).fill('PERMISSION'));
});

it('a lock file that may not be written is no lock: SQLite would fall back to reading and let everyone in', () => {
  const folder = makeFolder();
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, '.held.md.lock'), '');
  chmodSync(join(folder, '.held.md.lock'), 0o444);
  expect(run([...asNobody, process.execPath, CHILD, 'forbidden', folder]).hold).toBe('PERMISSION');
});

it('a read-only file system: PERMISSION, reading works', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'MEMORY.md'), 'old');
  const inner = join(folder, 'inner');
  const readOnly = privately('mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"', inner);
  if (readOnly === undefined)
    throw new Error('No read-only mount can be made here; "unshare --mount" is needed.');
  const results = run([...readOnly, process.execPath, CHILD, 'forbidden', inner]);
  expect(results).toEqual({ ...DENIED, read: 'old', createInFolder: 'PERMISSION', hold: 'PERMISSION' });
  expect(readFileSync(join(inner, 'MEMORY.md'), 'utf8')).toBe('old');
});
