/** `keepsake backup` and `keepsake restore` on Postgres and Redis: they end, and what they bring back is complete. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POSTGRES_BIN } from '../../scripts/setup/pgvector.mjs';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

let postgres: PostgresServer;
let redis: RedisServer;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([postgresServer(), redisServer([])]);
});
afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

/** Programs of Postgres that write down their arguments first. */
function spyingPrograms(folder: string): string {
  mkdirSync(folder);
  for (const name of ['pg_dump', 'pg_restore']) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "$@" >> ${folder}/calls\nexec ${POSTGRES_BIN}/${name} "$@"\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}

function setUp() {
  const cwd = temporaryWorkspace();
  const programs = spyingPrograms(join(cwd, 'programs'));
  const url = new URL(postgres.url());
  url.password = 'se:cr\\et';
  const env = {
    ...{ KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: url.href },
    ...{ KEEPSAKE_STORAGE_STATE_DRIVER: 'redis', KEEPSAKE_STORAGE_STATE_URL: redis.url },
  };
  const run = (path: string, ...args: string[]) => runCli(args, { cwd, env: { ...env, PATH: path } });
  const withPrograms = `${programs}:${process.env.PATH}`;
  return { cwd, programs, run, ask: (...args: string[]) => run(withPrograms, ...args) };
}

it('a backup brings back memories and keys, and no password is on the list of processes', async () => {
  const { cwd, programs, ask } = setUp();
  await ask('memory', 'add', 'Written before the backup.');
  expect((await ask('keys', 'create', 'laptop', '--role', 'admin')).code).toBe(0);
  const keys = readFileSync(join(cwd, 'data/keys.json'), 'utf8');
  const made = await ask('backup');
  expect([made.code, made.stderr]).toEqual([0, '']);
  const [, dump = ''] = /Backed up to (.*)\n/.exec(made.stdout)!;
  expect(dump).toMatch(/backups\/keepsake-[\d_-]+\.dump$/);
  expect(statSync(dump).mode & 0o077).toBe(0);

  await ask('memory', 'add', 'Written after the backup.');
  rmSync(join(cwd, 'data/keys.json'));
  const back = await ask('restore', dump, '--yes');
  expect([back.code, back.stderr]).toEqual([0, '']);
  const listed = JSON.parse((await ask('memory', 'list', '--json')).stdout) as { content: string }[];
  expect(listed.map(({ content }) => content)).toEqual(['Written before the backup.']);
  expect(readFileSync(join(cwd, 'data/keys.json'), 'utf8')).toBe(keys);
  const [, before = ''] = /is kept in (.*)\n/.exec(back.stdout)!;
  expect(existsSync(before)).toBe(true);
  expect((await ask('doctor')).code).toBe(0);
  // What was there can be brought back as well.
  expect((await ask('restore', before, '--yes')).code).toBe(0);
  expect(JSON.parse((await ask('memory', 'list', '--json')).stdout)).toHaveLength(2);
  const calls = readFileSync(join(programs, 'calls'), 'utf8');
  expect(calls.trim().split('\n')).toHaveLength(5);
  expect(calls).not.toMatch(/se:cr|se%3Acr/);
});

it('without pg_dump it ends and says what to run', async () => {
  const { cwd, run } = setUp();
  const nothing = join(cwd, 'empty');
  mkdirSync(nothing);
  const { code, stderr } = await run(nothing, 'backup');
  expect(code).toBe(69);
  expect(stderr).toMatch(
    /"pg_dump" is not installed.*run this where they are: pg_dump --format=custom --schema=/s,
  );
  expect(stderr).not.toMatch(/se:cr|se%3Acr/);
});
