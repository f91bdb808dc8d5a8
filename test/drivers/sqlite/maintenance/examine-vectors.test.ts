/** What can go wrong with vectors is named by an examination, and mended so that it is rebuilt. */
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { salvageRows } from '../../../../src/drivers/sqlite/maintenance/salvage.ts';
import { migrate } from '../../../../src/drivers/sqlite/open-database.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import { addRecord, context, START, updateRecord } from '../../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../../src/testing/index.ts';
import { addMany, look, MODEL, newFile, open, results, topicVectors } from '../vectors/fixture.ts';
import { wreckPage } from './maintenance-fixture.ts';

const vector = topicVectors(seededRandom(11), 12);
const somewhere = () => Float32Array.from({ length: 12 }, (_, i) => i + 1);

/** One pack with a gap, some vectors of their own, some records that wait, one that was forgotten. */
async function filled(file: string): Promise<Storage> {
  const storage = await open(file);
  const [first, second] = await addMany(storage, 1_024, vector);
  for (let tries = 0; tries < 200 && look(file, 'SELECT 1 FROM vector_packs').length === 0; tries++)
    await sleep(5);
  await addMany(storage, 4, somewhere, { scope: 'swarm' });
  await addMany(storage, 1, somewhere);
  await addRecord(storage.records);
  await updateRecord(storage.records, first!, { scope: 'swarm' });
  await updateRecord(storage.records, second!, { content: 'waits' });
  const [gone] = await addMany(storage, 1, vector);
  await storage.records.forget(gone!, context());
  expect(look(file, 'SELECT count(*) FROM vector_gaps')).toEqual([2]);
  return storage;
}

function tamper(file: string, sql: string): void {
  const database = new SqliteDatabase(file);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
}

async function troubles(storage: Storage, fix: boolean) {
  const findings = await storage.maintenance.examine({ fix, now: START });
  return findings
    .filter(({ check, severity }) => check.startsWith('vectors.') && severity !== 'ok')
    .map(({ check, fixed }) => (fix ? [check, fixed] : check));
}

const DEFECTS: readonly { readonly name: string; readonly check: string; readonly sql: string }[] = [
  {
    name: 'a vector of a forgotten memory',
    check: 'vectors.owners',
    sql: `INSERT INTO record_vectors (rid, model, version, silo, vector)
      SELECT (SELECT rid FROM records WHERE forgotten_at IS NOT NULL), model, 1, silo, vector FROM record_vectors LIMIT 1`,
  },
  {
    name: 'a vector of no memory at all',
    check: 'vectors.owners',
    sql: 'UPDATE record_vectors SET rid = 99999 WHERE rid = 7; INSERT INTO embedding_queue VALUES (7)',
  },
  {
    name: 'a private vector among the shared',
    check: 'vectors.owners',
    sql: "UPDATE record_vectors SET silo = '' WHERE rid = 8",
  },
  {
    name: 'a forgotten memory that waits',
    check: 'vectors.owners',
    sql: 'INSERT INTO embedding_queue SELECT rid FROM records WHERE forgotten_at IS NOT NULL',
  },
  {
    name: 'a vector that is too short',
    check: 'vectors.whole',
    sql: 'UPDATE record_vectors SET vector = substr(vector, 1, 44) WHERE rid = 1025',
  },
  {
    name: 'a vector of which half was lost',
    check: 'vectors.whole',
    sql: 'UPDATE record_vectors SET vector = CAST(substr(vector, 1, 20) || zeroblob(28) AS BLOB) WHERE rid = 1025',
  },
  {
    name: 'a vector of an unknown model',
    check: 'vectors.whole',
    sql: 'UPDATE record_vectors SET model = 77 WHERE rid = 1025',
  },
  {
    name: 'a memory that neither has a vector nor waits',
    check: 'vectors.waiting',
    sql: 'DELETE FROM embedding_queue WHERE rid = 2',
  },
  {
    name: 'a memory that has a vector and waits',
    check: 'vectors.waiting',
    sql: 'INSERT INTO embedding_queue VALUES (1025)',
  },
  {
    name: 'a pack that lacks a vector',
    check: 'vectors.packs',
    sql: 'UPDATE vector_packs SET last_seq = last_seq + 1000',
  },
  {
    name: 'a pack with garbage inside',
    check: 'vectors.packs',
    sql: "UPDATE vector_packs SET data = CAST(substr(data, 1, 30000) || X'55' || substr(data, 30002) AS BLOB)",
  },
  {
    name: 'a pack that was cut off',
    check: 'vectors.packs',
    sql: 'UPDATE vector_packs SET data = substr(data, 1, 1000)',
  },
  {
    name: 'a pack that still holds what is gone',
    check: 'vectors.packs',
    sql: 'DELETE FROM vector_gaps WHERE rid = 1',
  },
];

describe('an examination', () => {
  it('finds nothing wrong with vectors that are in order', async () => {
    const storage = await filled(newFile());
    expect(await troubles(storage, false)).toEqual([]);
  });

  it('names each defect, and mends it so that the searches are right again', async () => {
    const file = newFile();
    const storage = await filled(file);
    await storage.maintenance.backup(`${file}.backup`);
    for (const [i, { name, check, sql }] of DEFECTS.entries()) {
      await storage.maintenance.restore(`${file}.backup`, { keepAs: `${file}.${i}`, now: START });
      tamper(file, sql);
      expect(await troubles(storage, false), name).toContain(check);
      for (const finding of await troubles(storage, true)) expect(finding, name).toEqual([finding[0], true]);
      expect(await troubles(storage, false), name).toEqual([]);
      const { embedded, waiting } = await storage.records.vectors.backlog(MODEL);
      expect(embedded + waiting, name).toBe(1_030);
      const embedding = { model: MODEL, vector: vector() };
      const plain = await open(file, 'plain');
      expect(await results(storage, embedding), name).toEqual(await results(plain, embedding));
      await plain.close();
    }
  });
});

it.each(['record_vectors', 'vector_packs'])('wrecked pages of %s cost no memory', async (table) => {
  const file = newFile();
  await (await filled(file)).close();
  const pages = look<number>(file, 'SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno', table);
  const before = look(file, 'SELECT id || content FROM records ORDER BY rid');
  wreckPage(file, pages[Math.floor(pages.length / 2)]);
  const storage = await open(file);
  const findings = await storage.maintenance.examine({ fix: true, now: START });
  expect(findings).toContainEqual(expect.objectContaining({ check: 'database.vectors', fixed: true }));
  expect(await troubles(storage, false)).toEqual([]);
  expect(look(file, 'SELECT id || content FROM records ORDER BY rid')).toEqual(before);
  const { embedded, waiting } = await storage.records.vectors.backlog(MODEL);
  expect([embedded > 900, embedded + waiting]).toEqual([true, 1_030]);
  const [plain, embedding] = [await open(file, 'plain'), { model: MODEL, vector: vector() }];
  expect(await results(storage, embedding)).toEqual(await results(plain, embedding));
});

it('a salvage keeps the vectors and leaves the packs behind', async () => {
  const file = newFile();
  await (await filled(file)).close();
  tamper(file, DEFECTS.find(({ name }) => name.includes('half'))!.sql);
  const source = new SqliteDatabase(file, { readonly: true });
  const copy = newFile();
  const target = new SqliteDatabase(copy);
  migrate(target);
  expect(salvageRows(source, target)).toBe(true);
  source.close();
  target.close();
  const storage = await open(copy);
  expect(look(copy, 'SELECT count(*) FROM vector_packs')).toEqual([0]);
  expect(await storage.records.vectors.backlog(MODEL)).toEqual({ embedded: 1_027, waiting: 3, foreign: 0 });
  expect(await troubles(storage, false)).toEqual([]);
});
