/** Indexes in Postgres that were lost are rebuilt from the rows, and every answer is what it was. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceReindex } from '../../../src/administration/reindex.ts';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { ADMIN, addRecord, START } from '../../../src/testing/conformance/drafts.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

it('keepsake reindex makes words and the index of vectors again', async () => {
  const url = schemas.take();
  const schema = new URL(url).searchParams.get('schema')!;
  const storage = await openPostgres({ url, exactUpTo: 5 });
  const connection = new pg.Client(url);
  await connection.connect();
  try {
    const { records, log } = storage;
    const embedding = (i: number) => ({ model: 'm@2', vector: Float32Array.of(Math.cos(i), Math.sin(i)) });
    const near = async () =>
      (
        await records.vectors.search({
          viewer: ADMIN,
          now: START,
          filter: {},
          embedding: embedding(0),
          limit: 4,
        })
      ).map(({ record }) => record.id);
    const found = async () => ({
      near: await near(),
      text: await records.searchText({ viewer: ADMIN, now: START, filter: {}, terms: ['tea'], limit: 9 }),
      statistics: await records.termStatistics(['tea'], ADMIN),
      messages: await log.search({ terms: ['oslo'], limit: 9 }),
    });
    for (let i = 0; i < 9; i++)
      await addRecord(records, { content: `tea number ${i}`, embedding: embedding(i / 10) });
    const draft = { agent: 'a', thread: 't', run: null, role: 'user', metadata: {}, at: START };
    const parts = [{ type: 'text', text: 'We met in Oslo.' }];
    await log.append([{ ...draft, id: 'msg_1', content: parts, text: 'We met in Oslo.' }]);
    await log.append([{ ...draft, id: 'msg_2', content: 'Nowhere.', text: 'Nowhere.' }]);
    const before = await found();
    expect([before.near.length, before.text.length, before.messages.length]).toEqual([4, 9, 1]);

    for (const table of ['record_words', 'record_terms', 'message_words', 'message_terms'])
      await connection.query(`DELETE FROM ${schema}.${table}`);
    expect((await found()).text).toEqual([]);
    expect(await workspaceReindex({ storage })).toEqual({ records: 9, messages: 2, vectors: 9 });
    expect(await found()).toEqual(before);
    const findings = await storage.maintenance.examine({ fix: false, now: START });
    expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  } finally {
    await connection.end();
    await storage.close();
  }
});
