/** The commands of docs/guides/postgres.md: a dump of our schema brings everything back, in another database. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POSTGRES_BIN } from '../../../scripts/setup/pgvector.mjs';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { addRecord, recordDraft } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type PostgresServer, postgresServer } from './server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await postgresServer({ durable: true });
});
afterAll(() => server.stop());

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/postgres.md'), 'utf8');
const ADMIN = { role: 'admin' } as const;
const AT = 1_767_225_600_000;

/** The line of the guide that begins with this word. */
function command(program: string): string {
  const line = GUIDE.split('\n').find((each) => each.startsWith(`${program} `));
  if (line === undefined) throw new Error(`The guide says nothing of ${program}.`);
  return line;
}

it('is dumped and restored as the guide says', async () => {
  const base = `postgresql://keepsake@127.0.0.1:${server.port}`;
  const before = await openPostgres({ url: `${base}/postgres` });
  const vector = Float32Array.from({ length: 8 }, (_, i) => i);
  const embedding = { model: 'test:model@1', vector };
  for (let i = 0; i < 20; i++)
    await addRecord(before.records, { ...recordDraft({ id: `mem_${i}`, content: `Fact ${i}` }), embedding });
  await before.close();
  const env = { ...process.env, OLD: `${base}/postgres`, NEW: `${base}/fresh` };
  const shell = (line: string): string =>
    execFileSync('sh', ['-c', `PATH=${POSTGRES_BIN}:$PATH; ${line}`], {
      ...{ cwd: folder, env, encoding: 'utf8' },
    });
  const folder = temporaryFolder();
  shell(command('pg_dump'));
  const connection = new pg.Client(`${base}/postgres`);
  await connection.connect();
  await connection.query('CREATE DATABASE fresh');
  await connection.end();
  shell(command('psql "$NEW"'));
  shell(command('pg_restore'));
  const after = await openPostgres({ url: `${base}/fresh` });
  const found = await after.records.list({ viewer: ADMIN, now: AT, filter: {}, limit: 100 });
  expect(found).toHaveLength(20);
  expect((await after.records.vectors.similarities(['mem_7'], embedding)).get('mem_7')).toBeCloseTo(1, 5);
  const findings = await after.maintenance.examine({ fix: false, now: AT });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
  expect((await addRecord(after.records, recordDraft({ id: 'mem_new', content: 'New' }))).id).toBe('mem_new');
  await after.close();
});
