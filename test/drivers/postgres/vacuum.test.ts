/** What Postgres keeps of a forgotten memory is named by `forget`, and gone from the tables after `keepsake vacuum`. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceVacuum } from '../../../src/administration/vacuum.ts';
import { createClient } from '../../../src/client/index.ts';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { ADMIN, addRecord, context, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

it('the answer and the receipt of an erasure say what Postgres keeps, and compacting removes it from the pages', async () => {
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const workspace = temporaryFolder();
  const client = createClient({ workspace, config: { storage: { driver: 'postgres', url } } });
  const connection = new pg.Client(url);
  await connection.connect();
  const tablesWith = async (word: string): Promise<string[]> => {
    await connection.query('CHECKPOINT');
    const { rows } = await connection.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'i')
       AND position($2::bytea IN pg_read_binary_file(pg_relation_filepath(oid))) > 0`,
      [schema, Buffer.from(word)],
    );
    return rows.map(({ relname }) => relname);
  };
  try {
    const dana = client.agent({ name: 'support', user: 'dana' });
    await dana.memory.add({ content: 'The word is xylotrope', category: 'xylotrope' });
    await dana.log.add('user', 'I say xylotrope');
    expect(await tablesWith('xylotrope')).toContain('records');
    const [erased] = await client.erase({ user: 'dana' });
    expect(erased!.remains.join()).toContain('keepsake vacuum');
    expect(erased!.receipt!.remains).toEqual(erased!.remains);
    const [again] = await client.erase({ user: 'dana', compact: true });
    expect(again!.remains).toEqual([expect.stringContaining('write-ahead log of the server')]);
    expect(await tablesWith('xylotrope')).toEqual([]);
  } finally {
    await connection.end();
    await client.close();
  }
});

it('a forgotten text is in no page of its table after a vacuum', async () => {
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const storage = await openPostgres({ url });
  const connection = new pg.Client(url);
  await connection.connect();
  /** Pages as the server has them, with what was deleted. */
  const isInPages = async (): Promise<boolean> => {
    await connection.query('CHECKPOINT');
    const { rows } = await connection.query<{ found: boolean }>(
      `SELECT position('xylotrope'::bytea IN pg_read_binary_file(pg_relation_filepath('${schema}.records'))) > 0 AS found`,
    );
    return rows[0]!.found;
  };
  try {
    const record = await addRecord(storage.records, { content: 'The word is xylotrope' });
    expect(await isInPages()).toBe(true);
    const erased = await storage.records.forget(record.id, context(ADMIN, START));
    expect(erased.remains?.[0]).toContain('keepsake vacuum');
    expect(await isInPages()).toBe(true);
    const { before, after, remains } = await workspaceVacuum({ storage });
    expect(after).toBeLessThanOrEqual(before);
    expect(remains[0]).toContain('write-ahead log');
    expect(await isInPages()).toBe(false);
  } finally {
    await connection.end();
    await storage.close();
  }
});
