/** A workspace on a read-only file system, with a left-over write-ahead log: everything can be read, writes are refused. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { databaseOf, inFolder } from './support/workspace.ts';

const SDK = new URL('../../src/index.ts', import.meta.url).href;
const DOCTOR = new URL('../../src/administration/doctor.ts', import.meta.url).href;
const PROGRAM = `
  const { createClient } = await import('${SDK}');
  const client = createClient({ workspace: process.argv[1] });
  const { memory, log, sections } = client.agent({ name: 'alice' });
  const { workspaceDoctor } = await import('${DOCTOR}');
  const program = { version: '0', oldestNode: '22.0' };
  const report = await workspaceDoctor({ workspace: process.argv[1], fix: false, now: Date.now(), program });
  const [first] = await memory.list();
  const refused = await memory.add({ content: 'x' }).catch(({ code, message, hint }) => ({ code, message, hint }));
  console.log(JSON.stringify({
    list: (await memory.list()).length,
    found: (await memory.search('the colour of the kettle'))[0].content,
    got: (await memory.get(first.id)).id === first.id,
    said: (await log.get()).length,
    refused,
    section: await sections.save('plans', 'x').catch(({ code, message }) => ({ code, message })),
    healthy: report.ok,
    told: report.findings.filter(({ check }) => check === 'files.writable').map(({ message }) => message),
  }));
  await client.close();
`;

/** What a program answers that sees the workspace on a read-only mount. */
function lookInto(workspace: string, source: string): unknown {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
  const program = [process.execPath, '--input-type=module', '-e', source, workspace];
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, workspace, ...program],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('a database of an older schema is read as an upgraded one', () =>
  inFolder(async (folder) => {
    const workspace = join(folder, 'old');
    mkdirSync(join(workspace, 'data'), { recursive: true, mode: 0o700 });
    const old = readFileSync(join(import.meta.dirname, '../fixtures/old-databases/09.db.gz'));
    writeFileSync(databaseOf(workspace), gunzipSync(old), { mode: 0o600 });
    expect(
      lookInto(
        workspace,
        `const { createClient } = await import('${SDK}');
        const client = createClient({ workspace: process.argv[1] });
        const { memory, log } = client.agent({ name: 'alice' });
        console.log(JSON.stringify({
          memories: (await memory.list()).length,
          found: (await log.search('Haus')).length,
        }));
        await client.close();`,
      ),
    ).toEqual({ memories: 4, found: 1 });
  }));

it('reading commands work', () =>
  inFolder(async (folder) => {
    const live = join(folder, 'live');
    const client = createClient({ workspace: live });
    const { memory, log } = client.agent({ name: 'alice' });
    for (let i = 0; i < 20; i++) await memory.add({ content: `Cup ${i} is on shelf ${i * 3}` });
    await memory.add({ content: 'The colour of the kettle is teal' });
    await log.add('user', 'Which colour?');
    const workspace = join(folder, 'left');
    cpSync(live, workspace, { recursive: true });
    await client.close();
    expect(statSync(`${databaseOf(workspace)}-wal`).size).toBeGreaterThan(0);
    expect(lookInto(workspace, PROGRAM)).toMatchObject({
      ...{ list: 21, found: 'The colour of the kettle is teal', got: true, said: 1 },
      refused: { code: 'PERMISSION', message: expect.stringContaining('read-only file system') },
      section: { code: 'PERMISSION', message: expect.stringContaining('read-only file system') },
      ...{ healthy: true, told: [expect.stringContaining('read-only file system')] },
    });
  }));
