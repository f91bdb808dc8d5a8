/** Temporary files of processes that were killed: doctor names them, and removes those whose writer is gone. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceDoctor } from '../../src/administration/doctor.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const LEFT = [
  '.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'agents/.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'agents/alice/notes/.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'agents/alice/users/.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'agents/alice/exports/.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'data/.keepsake-00000000-1-00000000-0000000000000000.tmp',
  'data/import-aB3xYz/file',
  'data/keepsake.db.0123456789ab.partial',
  'backups/keepsake-1.db.0123456789ab.partial',
];
/** Not ours, although they look alike. */
const OTHERS = ['data/import-notes/file', 'data/important.md', 'backups/mine.partial'];

async function workspaceWith(files: readonly string[]) {
  const { folder, open } = testWorkspace();
  const client = open();
  await client.agent({ name: 'alice' }).memory.add({ content: 'x' });
  await client.close();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'A secret that was being written.');
  }
  const program = { version: '0', oldestNode: '22.0' };
  const doctor = (fix: boolean, now: number) => workspaceDoctor({ workspace: folder, fix, now, program });
  const isThere = (file: string) => existsSync(join(folder, file));
  return { folder, open, doctor, isThere };
}

it('doctor names every one, and --fix removes them and nothing else', async () => {
  const { doctor, isThere, folder } = await workspaceWith([...LEFT, ...OTHERS]);
  const later = Date.now() + 2 * HOUR;
  const findings = JSON.stringify((await doctor(false, later)).findings);
  // The driver names its own by folder and name.
  for (const file of LEFT) expect(findings).toContain(file.replace(/\/file$|^data\/(?=keepsake)/g, ''));
  for (const file of OTHERS) expect(findings).not.toContain(file.replace(/\/file$/, ''));
  expect(LEFT.every(isThere)).toBe(true);
  await doctor(true, later);
  expect(LEFT.filter(isThere)).toEqual([]);
  expect(OTHERS.filter(isThere)).toEqual(OTHERS);
  expect(JSON.stringify((await doctor(false, later)).findings)).toContain(
    'No temporary files were left behind.',
  );
  expect(existsSync(join(folder, 'data/keepsake.db'))).toBe(true);
});

it('leaves an import alone that may be under way', async () => {
  const { doctor, isThere, folder } = await workspaceWith(['data/import-aB3xYz/file']);
  const old = new Date(Date.now() - 2 * HOUR);
  // The folder is old and its file is being written.
  utimesSync(join(folder, 'data/import-aB3xYz'), old, old);
  await doctor(true, Date.now());
  expect(isThere('data/import-aB3xYz/file')).toBe(true);
});

/** As a process of this machine names its temporary files, which is not alive any more. */
function nameOfDead(): string {
  const host = `${hostname()} ${process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : ''}`;
  const hash = createHash('sha256').update(host).digest('hex').slice(0, 8);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  return `.keepsake-${hash}-${pid}-00000000-0000000000000000.tmp`;
}

it('every process that opens the workspace sweeps what killed ones left, and leaves what is being written', async () => {
  const dead = nameOfDead();
  const left = [
    dead,
    `data/${dead}`,
    `agents/alice/${dead}`,
    `agents/alice/notes/${dead}`,
    'data/import-aB3xYz/file',
    'data/keepsake.db.0123456789ab.partial',
    'backups/keepsake-1.db.0123456789ab.partial',
  ];
  const young = ['data/import-cD4wVu/file', 'backups/keepsake-2.db.0123456789ab.partial'];
  const { folder, open, isThere } = await workspaceWith([...left, ...young, ...OTHERS]);
  const old = new Date(Date.now() - 2 * HOUR);
  for (const file of [...left, ...OTHERS]) utimesSync(join(folder, file), old, old);
  const client = open();
  await client.agent({ name: 'alice' }).memory.list();
  await client.close();
  expect(left.filter(isThere)).toEqual([]);
  expect([...young, ...OTHERS].filter((file) => !isThere(file))).toEqual([]);
});
