/** A password apart from the URL, as in examples/deployment, may hold characters that a URL could not. */
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { json, runCli, temporaryWorkspace } from '../surfaces/cli/support/run-cli.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await postgresServer();
});
afterAll(() => postgres.stop());

it('PGPASSWORD is used where the URL has none; without either, the command ends at once and says so', async () => {
  const url = postgres.url();
  const password = 'a/b@c:d#e?f%g h';
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`ALTER USER keepsake PASSWORD '${password}'`);
  const { rows } = await admin.query('SHOW hba_file');
  writeFileSync(rows[0].hba_file, 'host all all all scram-sha-256\n');
  await admin.query('SELECT pg_reload_conf()');
  await admin.end();
  const cwd = temporaryWorkspace();
  const env = { KEEPSAKE_STORAGE_DRIVER: 'postgres', KEEPSAKE_STORAGE_URL: url };
  const refused = await runCli(['memory', 'add', 'Hello.', '--agent', 'a'], { cwd, env });
  expect(refused.code).toBe(77);
  expect(refused.stderr).toContain('asks for a password');
  await json(['memory', 'add', 'Hello.', '--agent', 'a'], { cwd, env: { ...env, PGPASSWORD: password } });
}, 20_000);
