/** What `doctor` says about Qdrant: out of reach, behind, too little, too much; and that it mends it. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/load.ts';
import { examineStorage, openStorage, restoreStorage } from '../../../src/config/registry.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { addRecord, START, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { at, near, Outside, openPlain, PREFIX, settled, until } from './workbench.ts';

let server: QdrantServer;
beforeAll(async () => {
  server = await qdrantServer({ apiKey: 'the-key' });
});
afterAll(() => server.stop());

function place(settings: { readonly url?: string; readonly apiKey?: string } = {}) {
  const database = join(temporaryFolder(), 'keepsake.db');
  const vectors = {
    driver: 'qdrant',
    url: server.url,
    apiKey: 'the-key',
    prefix: PREFIX,
    ...settings,
  } as const;
  return { database, storage: parseConfig({ storage: { vectors } }).storage };
}

type Place = ReturnType<typeof place>;

async function filled(where: Place, count = 5): Promise<{ storage: Storage; ids: string[] }> {
  const storage = await openStorage(where);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await addRecord(storage.records, { embedding: at(i) })).id);
  await settled(storage);
  return { storage, ids };
}

const outside = (): Outside => new Outside(server.url, 'the-key');

async function findings(where: Place, fix = false) {
  const all = await examineStorage(where, { fix, now: START });
  return all.filter(({ check }) => check.startsWith('qdrant.'));
}

describe('doctor', () => {
  it('finds nothing wrong with an index that holds all vectors and no others', async () => {
    const where = place();
    const { storage } = await filled(where);
    await storage.close();
    expect((await findings(where)).map(({ check, severity }) => `${check} ${severity}`)).toEqual([
      'qdrant.server ok',
      'qdrant.backlog ok',
      'qdrant.content ok',
    ]);
  });

  it('finds a missing point and one too many, changes nothing, and mends both on request', async () => {
    const where = place();
    const { storage, ids } = await filled(where);
    const [name] = await outside().collections(storage);
    const points = await outside().points(storage);
    await storage.close();
    const { client } = outside();
    await client.delete(name!, { wait: true, points: [points[2]!.id] });
    const stray = { id: 999_999, vector: [1, 0], payload: points[0]!.payload! };
    await client.upsert(name!, { wait: true, points: [stray] });

    const problem = {
      check: 'qdrant.content',
      severity: 'problem',
      message: 'Qdrant lacks 1 vector of test:plane@1 and has 1 too many.',
      fixable: true,
    };
    for (let i = 0; i < 2; i++)
      expect(await findings(where)).toContainEqual(expect.objectContaining(problem));
    expect(await findings(where, true)).toContainEqual(expect.objectContaining({ ...problem, fixed: true }));
    expect(await findings(where)).toContainEqual(
      expect.objectContaining({ check: 'qdrant.content', severity: 'ok' }),
    );
    expect(await outside().records(await openPlain(where.database))).toEqual(ids);
  });

  it('finds a point that stands for another record than it should', async () => {
    const where = place();
    const { storage } = await filled(where);
    const [name] = await outside().collections(storage);
    const [first, second] = await outside().points(storage);
    await storage.close();
    const wrong = { id: first!.id, vector: [0, 1], payload: second!.payload! };
    await outside().client.upsert(name!, { wait: true, points: [wrong] });
    expect(await findings(where)).toContainEqual(
      expect.objectContaining({ message: 'Qdrant lacks 1 vector of test:plane@1 and has 0 too many.' }),
    );
    expect(await findings(where, true)).toContainEqual(expect.objectContaining({ fixed: true }));
  });

  it('names Qdrant and what waits while it is out of reach, and carries it on request', async () => {
    const where = place();
    const { storage, ids } = await filled(where);
    await server.kill();
    await updateRecord(storage.records, ids[0]!, { tags: ['changed'] });
    await storage.close();
    expect(await findings(where)).toEqual([
      {
        check: 'qdrant.server',
        severity: 'problem',
        message: `Qdrant at ${new URL(server.url).host} does not answer: ECONNREFUSED`,
        hint: expect.any(String),
      },
      {
        check: 'qdrant.backlog',
        severity: 'notice',
        message: '1 change waits for Qdrant; search finds what waits in the main storage.',
        hint: expect.any(String),
      },
    ]);
    await server.start();
    expect((await findings(where))[1]).toMatchObject({ check: 'qdrant.backlog', severity: 'notice' });
    expect((await findings(where, true))[1]).toMatchObject({ check: 'qdrant.backlog', severity: 'ok' });
  });

  it('says that a key is refused; memories are kept and found without it', async () => {
    const where = place({ apiKey: 'another' });
    const storage = await openStorage(where);
    const { id } = await addRecord(storage.records, { embedding: at(0) });
    await until(async () => !(await storage.indexStatus!()).isUp);
    expect(await near(storage)).toEqual([id]);
    expect((await storage.indexStatus!()).problem).toContain('refuses the key');
    await storage.close();
    expect((await findings(where))[0]).toMatchObject({
      check: 'qdrant.server',
      severity: 'problem',
      hint: 'Set KEEPSAKE_STORAGE_VECTORS_API_KEY to a key that may read and write.',
    });
  });

  it('after another model took over, its vectors are there, and what the old one left is dropped on request', async () => {
    const where = place();
    const { storage, ids } = await filled(where);
    const aside = storage.records.vectors.aside!;
    await aside.begin('test:space@1');
    const drafts = ids.map((id, i) => ({ id, version: 1, vector: Float32Array.of(1, i, 0) }));
    await aside.save('test:space@1', drafts);
    expect(await aside.switchTo('test:space@1', 0)).toMatchObject({ switched: true });
    const embedding = { model: 'test:space@1', vector: Float32Array.of(1, 0, 0) };
    expect(await near(storage, { embedding })).toEqual(ids);
    await settled(storage);
    expect(await near(storage, { embedding })).toEqual(ids);
    expect(await outside().records(storage)).toEqual(ids);
    expect((await outside().collections(storage)).length).toBe(2);
    await storage.close();

    const unused = {
      check: 'qdrant.unused',
      severity: 'notice',
      message: expect.stringContaining('test-plane-1'),
    };
    expect(await findings(where)).toContainEqual(expect.objectContaining(unused));
    expect(await findings(where, true)).toContainEqual(expect.objectContaining({ ...unused, fixed: true }));
    expect((await outside().collections(await openPlain(where.database))).length).toBe(1);
    expect((await findings(where)).every(({ severity }) => severity === 'ok')).toBe(true);
  });

  it('makes no database where there is none', async () => {
    expect(await findings(place())).toEqual([]);
  });
});

describe('a restore', () => {
  it('begins another index, and what was carried after the backup is not found in it', async () => {
    const where = place();
    const { storage, ids } = await filled(where);
    const folder = temporaryFolder();
    await storage.maintenance.backup(join(folder, 'backup.db'));
    await addRecord(storage.records, { embedding: at(0) });
    await updateRecord(storage.records, ids[0]!, { content: 'other', embedding: at(90) });
    await settled(storage);
    const before = await outside().collections(storage);

    await restoreStorage(where, join(folder, 'backup.db'), { now: START, keepAs: join(folder, 'kept.db') });
    expect(await near(storage)).toEqual(ids);
    await until(async () => (await storage.feed!.position(0)) !== undefined);
    await settled(storage);
    expect(await near(storage)).toEqual(ids);
    expect(await outside().records(storage)).toEqual(ids);
    const { collections } = await outside().client.getCollections();
    expect(collections.map(({ name }) => name)).not.toContain(before[0]);
    await storage.close();
    expect((await findings(where)).every(({ severity }) => severity === 'ok')).toBe(true);
  });
});
