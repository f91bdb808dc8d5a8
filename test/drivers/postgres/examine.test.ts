/** What the doctor finds in a Postgres database, and what it mends. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examinePostgres, openPostgres } from '../../../src/drivers/postgres/index.ts';
import type { Finding } from '../../../src/ports/maintenance.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

const AT = 1_767_225_600_000;
let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

const problems = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity === 'problem');

async function damaged(damage: (schema: string) => string): Promise<string> {
  const url = schemas.take();
  const storage = await openPostgres({ url });
  const draft = {
    ...({
      agent: 'alice',
      scope: 'agent',
      source: 'manual',
      category: 'fact',
      confidence: 1,
      tags: [],
    } as const),
    ...({
      metadata: {},
      origin: 'user',
      pinned: false,
      thread: null,
      user: null,
      validFrom: null,
      expiresAt: null,
    } as const),
  };
  const context = { at: AT, viewer: { role: 'admin' }, via: 'sdk' } as const;
  for (const content of ['wombat one', 'wombat two'])
    await storage.records.add({ ...draft, id: `mem_${content}`, content }, { maxFacts: 10 }, context);
  await storage.close();
  const connection = new pg.Client(url);
  await connection.connect();
  await connection.query(damage(new URL(url).searchParams.get('schema')!));
  await connection.end();
  return url;
}

it('finds nothing wrong with a database that is well, and changes nothing in one that is not there yet', async () => {
  const url = await damaged(() => 'SELECT 1');
  expect(problems(await examinePostgres({ url, fix: false }))).toEqual([]);
  const absent = schemas.take();
  for (let i = 0; i < 2; i++) {
    const findings = await examinePostgres({ url: absent, fix: true });
    expect(findings.at(-1)).toMatchObject({ check: 'database.version', severity: 'notice' });
  }
});

it.each([
  [
    'words that are gone',
    'database.words',
    (schema: string) => `DELETE FROM ${schema}.record_words WHERE rid = 1`,
  ],
  [
    'words that are counted wrongly',
    'database.words',
    (schema: string) => `UPDATE ${schema}.record_terms SET holders = 9`,
  ],
  [
    'a record that waits for nothing',
    'database.vectors',
    (schema: string) => `DELETE FROM ${schema}.embedding_queue`,
  ],
])('finds and mends %s', async (_, check, damage) => {
  const url = await damaged(damage);
  expect(problems(await examinePostgres({ url, fix: false }))).toMatchObject([{ check, fixable: true }]);
  expect(problems(await examinePostgres({ url, fix: true }))).toMatchObject([{ check, fixed: true }]);
  expect(problems(await examinePostgres({ url, fix: false }))).toEqual([]);
  const storage = await openPostgres({ url });
  const query = { viewer: { role: 'admin' }, now: AT, filter: {}, terms: ['wombat'], limit: 5 } as const;
  expect((await storage.records.searchText(query)).length).toBe(2);
  await storage.close();
});

it('finds and ends what holds although another took its place', async () => {
  const url = await damaged(
    (schema) => `UPDATE ${schema}.records SET superseded_by = 'mem_wombat two' WHERE rid = 1`,
  );
  const found = { check: 'records.superseded', fixable: true };
  expect(problems(await examinePostgres({ url, fix: false }))).toMatchObject([found]);
  expect(problems(await examinePostgres({ url, fix: true }))).toMatchObject([{ ...found, fixed: true }]);
  expect(problems(await examinePostgres({ url, fix: false }))).toEqual([]);
  const storage = await openPostgres({ url });
  expect(await storage.records.get('mem_wombat one', { role: 'admin' }, AT)).toMatchObject({
    ...{ state: 'expired', expiryReason: 'superseded', expiresAt: AT },
  });
  expect((await storage.records.agents())[0]?.facts).toBe(1);
  await storage.close();
});

const bloat = async (url: string) =>
  (await examinePostgres({ url, fix: false })).find(({ check }) => check === 'database.bloat');

it('names tables whose deleted rows nobody cleans up, and is content after a vacuum', async () => {
  const url = await damaged(
    (schema) => `ALTER TABLE ${schema}.items SET (autovacuum_enabled = false);
      INSERT INTO ${schema}.meta SELECT 'spare ' || i, '' FROM generate_series(1, 20000) i;
      ALTER TABLE ${schema}.meta SET (autovacuum_enabled = false);
      DELETE FROM ${schema}.meta WHERE key LIKE 'spare %';
      SELECT pg_stat_force_next_flush()`,
  );
  await expect
    .poll(() => bloat(url))
    .toMatchObject({
      severity: 'notice',
      message: expect.stringMatching(
        /"meta" has 20,?00\d deleted rows .* autovacuum is off for "items", "meta"/s,
      ),
      hint: expect.stringContaining('VACUUM (ANALYZE)'),
    });
  const schema = new URL(url).searchParams.get('schema')!;
  const connection = new pg.Client(url);
  await connection.connect();
  for (const table of ['meta', 'items']) {
    await connection.query(`ALTER TABLE ${schema}.${table} RESET (autovacuum_enabled)`);
    await connection.query(`VACUUM ${schema}.${table}`);
  }
  await connection.end();
  await expect.poll(async () => (await bloat(url))?.severity).toBe('ok');
});

it('names a transaction that has been open for long, because nothing is cleaned up behind it', async () => {
  const url = await damaged(() => 'SELECT 1');
  const connection = new pg.Client(url);
  await connection.connect();
  await connection.query("BEGIN; SELECT set_config('application_name', 'report', false), txid_current()");
  const findings = await examinePostgres({ url, fix: false, longTransactionMs: 0 });
  await connection.end();
  expect(findings.find(({ check }) => check === 'database.bloat')).toMatchObject({
    severity: 'notice',
    message: expect.stringMatching(/transaction of "report" .* open/),
  });
});
