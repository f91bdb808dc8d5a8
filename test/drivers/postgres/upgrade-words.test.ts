/** The words of an older analysis are made again when a store opens: by one process, whatever the others wait for. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

const DRAFT = { agent: 'a', thread: 't', run: null, role: 'user', metadata: {}, at: 1_767_225_600_000 };

/** A store with two messages whose words are of another analysis. */
async function outdated() {
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const storage = await openPostgres({ url });
  await storage.log.append([
    { ...DRAFT, id: 'msg_1', content: 'We met in Oslo.', text: 'We met in Oslo.' },
    { ...DRAFT, id: 'msg_2', content: 'Oslo is cold.', text: 'Oslo is cold.' },
  ]);
  await storage.close();
  const connection = new pg.Client(url);
  await connection.connect();
  await connection.query(`DELETE FROM ${schema}.meta WHERE key = 'message_analysis_version'`);
  return { url, schema, connection };
}

it('opens with a damaged message, and finds it by its words', async () => {
  const { url, schema, connection } = await outdated();
  await connection.query(`UPDATE ${schema}.messages SET content = '{"damaged in Oslo' WHERE id = 'msg_2'`);
  const storage = await openPostgres({ url });
  try {
    const { rows } = await connection.query(`SELECT words FROM ${schema}.message_words ORDER BY seq`);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ words: expect.arrayContaining(['oslo']) });
  } finally {
    await connection.end();
    await storage.close();
  }
});

it('is done once, also by those that waited for it longer than a lock is usually waited for', async () => {
  const { url, schema, connection } = await outdated();
  await connection.query(
    `CREATE TABLE ${schema}.rebuilt (at timestamptz);
     CREATE FUNCTION ${schema}.note_rebuilt() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO ${schema}.rebuilt VALUES (now()); RETURN NULL; END $$;
     CREATE TRIGGER noted AFTER DELETE ON ${schema}.message_words
       FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.note_rebuilt()`,
  );
  const count = async (from: string) =>
    (await connection.query(`SELECT count(*)::int AS count FROM ${from}`)).rows[0].count as number;
  await connection.query(`BEGIN; SELECT 1 FROM ${schema}.lanes WHERE name = 'memory' FOR UPDATE`);
  const hasty = new URL(url);
  hasty.searchParams.set('options', '-c lock_timeout=200');
  const opening = Promise.all([hasty, hasty].map(({ href }) => openPostgres({ url: href })));
  opening.catch(() => {});
  await vi.waitFor(async () => expect(await count('pg_locks WHERE NOT granted')).toBe(2), {
    timeout: 10_000,
  });
  await new Promise((next) => setTimeout(next, 400));
  await connection.query('COMMIT');
  const opened = await opening;
  try {
    expect(await count(`${schema}.rebuilt`)).toBe(1);
    expect(await count(`${schema}.message_words`)).toBe(2);
  } finally {
    await connection.end();
    await Promise.all(opened.map((storage) => storage.close()));
  }
});
