/** Several servers on one Postgres: what is kept in files is the same through all of them, or the deployment is refused. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { networkDrive } from '../../src/administration/examine-disk.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { json, runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';
import { call, startServer } from './support/servers.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());

const shared = () => ({
  KEEPSAKE_STORAGE_DRIVER: 'postgres',
  KEEPSAKE_STORAGE_URL: postgres.url(),
  KEEPSAKE_SERVER_FOLDERS: 'shared',
});

it('one folder: sections, notes and archives of one server are those of the other', async () => {
  const env = shared();
  const cwd = temporaryWorkspace();
  const [first, second] = [await startServer(env, cwd), await startServer(env, cwd)];
  const saved = await call(first, '/v1/sections/save', { section: 'plans', content: 'Ship on Friday.' });
  expect(saved.status).toBe(200);
  const read = await call(second, '/v1/sections/get', { section: 'plans' });
  expect(await read.text()).toContain('Ship on Friday.');
  // At the same moment, so that each finds what the other wrote.
  const writers = [first, second].flatMap((server, w) =>
    Array.from({ length: 10 }, (_, i) =>
      call(server, '/v1/sections/append', { section: 'plans', content: `Line ${w}-${i}.` }),
    ),
  );
  for (const { status } of await Promise.all(writers)) expect(status).toBe(200);
  const all = await (await call(second, '/v1/sections/get', { section: 'plans' })).text();
  for (const w of [0, 1]) for (let i = 0; i < 10; i++) expect(all).toContain(`Line ${w}-${i}.`);
});

it('another folder: the second server refuses to start, and doctor says why', async () => {
  const env = shared();
  const cwd = temporaryWorkspace();
  await startServer(env, cwd);
  const other = temporaryWorkspace();
  for (const command of [['serve', '--port', '0'], ['start']]) {
    const { code, stderr } = await runCli(command, { cwd: other, env });
    expect(code).toBe(65);
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain(`Another server uses this database with another folder: ${cwd}`);
    expect(said).toContain('server.folders');
  }
  const { stdout } = await runCli(['doctor', '--json'], { cwd: other, env });
  expect(JSON.parse(stdout).findings).toContainEqual(
    expect.objectContaining({ check: 'workspace.folder', severity: 'problem' }),
  );
  const here = await json<{ findings: object[] }>(['doctor'], { cwd, env });
  expect(here.findings).toContainEqual(
    expect.objectContaining({ check: 'workspace.folder', severity: 'ok' }),
  );
});

it('separate folders on purpose: memories are shared, and what is in files is refused', async () => {
  const env = { ...shared(), KEEPSAKE_SERVER_FOLDERS: 'separate' };
  const [first, second] = [await startServer(env), await startServer(env)];
  expect((await call(first, '/v1/memory', { content: 'The vault is blue.' })).status).toBe(201);
  const found = await call(second, '/v1/memory/search?q=which+colour+has+the+vault');
  expect(await found.text()).toContain('The vault is blue.');
  for (const [path, body] of [
    ['/v1/sections/save', { section: 'plans', content: 'Ship.' }],
    ['/v1/sections/list', {}],
    ['/v1/notes/index', {}],
    ['/v1/archive/list', {}],
  ] as const) {
    const answer = await call(first, path, body);
    expect([path, answer.status]).toEqual([path, 501]);
  }
});

it('a service is not started with a workspace that lies above by chance', async () => {
  const cwd = temporaryWorkspace();
  await json(['init'], { cwd });
  const below = join(cwd, 'services/memory');
  mkdirSync(below, { recursive: true });
  for (const command of [['serve', '--port', '0'], ['start']]) {
    const { code, stderr } = await runCli(command, { cwd: below });
    expect([command, code]).toEqual([command, 64]);
    expect(stderr).toContain('KEEPSAKE_WORKSPACE=');
  }
  // It is named, also against a nearer one.
  const named = temporaryWorkspace();
  await json(['init'], { cwd: named });
  const { workspace } = await json<{ workspace: string }>(['doctor'], {
    cwd: below,
    env: { KEEPSAKE_WORKSPACE: named },
  });
  expect(workspace).toBe(named);
  const server = await startServer({ KEEPSAKE_WORKSPACE: named }, below);
  expect((await call(server, '/v1/memory', { content: 'Here.' })).status).toBe(201);
});

it('network drives are known by the number of their file system', () => {
  expect([0x6969, -11317950, 0xff534d42, 0xef53, 0x01021994].map(networkDrive)).toEqual([
    'NFS',
    'SMB',
    'SMB',
    undefined,
    undefined,
  ]);
});
