/** How the schema of Postgres comes to be: in steps that never change, once, and never over what is not ours. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/drivers/postgres/address.ts';
import { Database } from '../../../src/drivers/postgres/database.ts';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { applyMigrations, hashOf } from '../../../src/drivers/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/drivers/postgres/migrations/index.ts';
import { addRecord, recordDraft } from '../../../src/testing/conformance/drafts.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

/** A step that was released is what databases out there have taken; only new ones may be added at the end. */
const FROZEN = [
  '4795cc417e6aca9c62fb08d106779ad20117e510138c87446ae13fa8d981ac37',
  'eb9dcf0f59d244d690943ecc0df0e4b3a34a839aa582af9968db6c3ccba8ad88',
  'a4da28046d7dba8071eee7ed2ba022387e3e76dc9c905675a437b57eb6c2cdd2',
  'c1af32106ea97e7ae76b52a988b88c471edc59e44f6d1a7e170a22bf2e9c8fd9',
  'd167a809505a59ac80cd0a68c5b8591d9ca8b012b1618fa2686f4aaf9228c184',
  '2446215a6ac663a23aa78a471eb5a0db0057017d95018fcca56ff84e25dcebd3',
  '6fc388dea7b0d9b9f7c310374a216a59883e8855cc8642e19ade6f336e582ec5',
  '73d3cbe3c0b5581db35724c42ab5b3a40591ba4ac09becfdc4bda19a06206bc8',
  'd18225e3d58dd4d3110e34e81329ba3ed35b04e5277d9559a2cbefaf4f7a9456',
  'f1babe318b4a01878f257a1a522623a7fba5c07fe1c67a86c327b02530e00be8',
  '260018d42b2f0e14c862f700fe67daf6385b345daa8071eb75292f755f0daeeb',
];

let schemas: Schemas;
let connection: pg.Client;
beforeAll(async () => {
  schemas = await schemasForTests();
  connection = new pg.Client(schemas.take());
  await connection.connect();
});
afterAll(async () => {
  await connection.end();
  await schemas.stop();
});

function fresh() {
  const url = schemas.take();
  return { url, schema: new URL(url).searchParams.get('schema')! };
}

async function open(url: string): Promise<void> {
  await (await openPostgres({ url })).close();
}

describe('the schema', () => {
  it('has steps that never change', () => {
    expect(MIGRATIONS.map(hashOf)).toEqual(FROZEN);
  });

  it('is made once by many who begin at the same moment', async () => {
    const { url, schema } = fresh();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openPostgres({ url })));
    await Promise.all(opened.map((storage) => storage.close()));
    const { rows } = await connection.query(
      `SELECT version, hash FROM ${schema}.migrations ORDER BY version`,
    );
    expect(rows).toEqual(FROZEN.map((hash, i) => ({ version: i + 1, hash })));
  });

  it('of a newer Keepsake is left alone', async () => {
    const { url, schema } = fresh();
    await open(url);
    await connection.query(`INSERT INTO ${schema}.migrations VALUES (${FROZEN.length + 1}, 'x')`);
    await expect(open(url)).rejects.toMatchObject({
      code: 'TOO_NEW',
      hint: expect.stringContaining('Install a newer version'),
    });
  });

  it('that became newer meanwhile takes no writes of an older process, and still answers it', async () => {
    const { url } = fresh();
    const old = await openPostgres({ url });
    const kept = await addRecord(old.records, recordDraft({ id: 'mem_a', content: 'Before the upgrade.' }));
    const newer = await Database.open(parseAddress(url));
    await applyMigrations(newer, [...MIGRATIONS, 'CREATE TABLE of_the_future (id INTEGER)']);
    await newer.close();
    const refused = addRecord(old.records, recordDraft({ id: 'mem_b', content: 'After the upgrade.' }));
    await expect(refused).rejects.toMatchObject({
      code: 'TOO_NEW',
      message: expect.stringContaining('upgraded by a newer Keepsake'),
      hint: expect.stringContaining('restart it'),
    });
    const viewer = { role: 'admin' } as const;
    expect((await old.records.get('mem_a', viewer, 0))?.content).toBe(kept.content);
    expect(await old.records.get('mem_b', viewer, 0)).toBeNull();
    await old.close();
  });

  it('with other steps than ours is left alone', async () => {
    const { url, schema } = fresh();
    await open(url);
    await connection.query(`UPDATE ${schema}.migrations SET hash = 'x' WHERE version = 2`);
    await expect(open(url)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Step 2'),
    });
  });

  it('of another program is left alone', async () => {
    const { url, schema } = fresh();
    await connection.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.records (theirs TEXT)`);
    await expect(open(url)).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('?schema='),
    });
    const { rows } = await connection.query(
      `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = '${schema}'`,
    );
    expect(rows).toEqual([{ tables: 1 }]);
  });

  it('is all there or not at all', async () => {
    const { url, schema } = fresh();
    await connection.query(`CREATE SCHEMA ${schema}; CREATE TYPE ${schema}.threads AS ENUM ('in the way')`);
    await expect(open(url)).rejects.toMatchObject({ code: 'INTERNAL' });
    const { rows } = await connection.query(
      `SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = '${schema}'`,
    );
    expect(rows).toEqual([{ tables: 0 }]);
  });
});
