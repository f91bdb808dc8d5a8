/** Qdrant killed, deaf, wiped and back again: searches are answered all the same, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRecord, context, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { at, databaseFile, near, Outside, openIndexed, openPlain, settled, until } from './workbench.ts';

let server: QdrantServer;
beforeAll(async () => {
  server = await qdrantServer();
});
afterAll(() => server.stop());

/** The promises. */
const BACK_MS = 5_000;
const ANSWER_MS = 2_000;

async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

describe('while Qdrant is out of reach', () => {
  it('what is written is kept and found, and is in Qdrant five seconds after it is back', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    const outside = new Outside(server.url);
    const { id: kept } = await addRecord(storage.records, { embedding: at(10) });
    const { id: changed } = await addRecord(storage.records, { embedding: at(20) });
    const { id: forgotten } = await addRecord(storage.records, { embedding: at(30) });
    await settled(storage);
    expect(await outside.records(storage)).toEqual([kept, changed, forgotten]);

    await server.kill();
    const { id: added } = await addRecord(storage.records, { embedding: at(5) });
    await updateRecord(storage.records, changed, { content: 'another', embedding: at(0) });
    await storage.records.forget(forgotten, context());
    expect(await took(() => near(storage))).toBeLessThan(ANSWER_MS);
    expect(await near(storage)).toEqual([changed, added, kept]);
    await until(async () => !(await storage.indexStatus!()).isUp);
    expect(await storage.indexStatus!()).toMatchObject({
      name: expect.stringContaining('Qdrant at 127.0.0.1'),
      isUp: false,
      backlog: 3,
      problem: expect.stringContaining('does not answer'),
    });

    await server.start();
    expect(await took(() => settled(storage))).toBeLessThan(BACK_MS);
    expect(await outside.records(storage)).toEqual([kept, changed, added].sort());
    expect(await near(storage)).toEqual([changed, added, kept]);
  });

  it('a deaf server costs one search a second, and the next ones nothing', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    const { id } = await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    server.pause();
    try {
      expect(await took(async () => expect(await near(storage)).toEqual([id]))).toBeLessThan(ANSWER_MS);
      expect((await storage.indexStatus!()).isUp).toBe(false);
      const { id: second } = await addRecord(storage.records, { embedding: at(1) });
      // Ten that ask it would take ten seconds.
      const more = async (): Promise<void> => {
        for (let i = 0; i < 10; i++) expect(await near(storage)).toEqual([id, second]);
      };
      expect(await took(more)).toBeLessThan(5_000);
    } finally {
      server.resume();
    }
    expect(await took(() => settled(storage))).toBeLessThan(BACK_MS);
    expect((await new Outside(server.url).records(storage)).length).toBe(2);
  });

  it('a workspace opens, answers and closes', async () => {
    await server.kill();
    try {
      const file = databaseFile();
      const storage = await openIndexed(file, { url: server.url });
      const { id } = await addRecord(storage.records, { embedding: at(0) });
      expect(await near(storage)).toEqual([id]);
      expect(await took(() => storage.close())).toBeLessThan(ANSWER_MS);
      expect(await near(await openPlain(file))).toEqual([id]);
    } finally {
      await server.start();
    }
  });

  it('a deaf server does not keep a process from ending', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    server.pause();
    try {
      await addRecord(storage.records, { embedding: at(0) });
      expect(await took(() => storage.close())).toBeLessThan(ANSWER_MS);
    } finally {
      server.resume();
    }
  });
});

describe('what waited', () => {
  it('is carried by the next process, whoever wrote it', async () => {
    const file = databaseFile();
    const first = await openIndexed(file, { url: server.url });
    await addRecord(first.records, { embedding: at(0) });
    await settled(first);
    await first.close();
    // A process that knows nothing of Qdrant.
    const plain = await openPlain(file);
    const { id } = await addRecord(plain.records, { embedding: at(1) });
    expect(await plain.feed!.backlog()).toBe(1);
    const second = await openIndexed(file, { url: server.url });
    await settled(second);
    expect(await new Outside(server.url).records(second)).toContain(id);
  });

  it('is carried as a process ends', async () => {
    const file = databaseFile();
    const storage = await openIndexed(file, { url: server.url });
    // To make a collection may take longer than a process that ends waits for.
    await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    await Promise.all(Array.from({ length: 50 }, (_, i) => addRecord(storage.records, { embedding: at(i) })));
    await storage.close();
    expect(await (await openPlain(file)).feed!.backlog()).toBe(0);
  });
});

describe('an index that is lost', () => {
  it('with its disk is rebuilt', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    const ids: string[] = [];
    for (let i = 0; i < 300; i++) ids.push((await addRecord(storage.records, { embedding: at(i / 10) })).id);
    await settled(storage);
    await server.wipe();
    await server.start();
    expect(await near(storage)).toEqual(ids);
    await until(async () => (await new Outside(server.url).records(storage)).length === ids.length);
    await settled(storage);
    expect(await near(storage)).toEqual(ids);
  });

  it('because somebody deleted the collection is rebuilt by the next search', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    const outside = new Outside(server.url);
    const { id } = await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    const [name] = await outside.collections(storage);
    await outside.client.deleteCollection(name!);
    expect(await near(storage)).toEqual([id]);
    await until(async () => (await outside.records(storage)).length === 1);
  });

  it('in part is found and mended after an outage', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    const outside = new Outside(server.url);
    const { id } = await addRecord(storage.records, { embedding: at(0) });
    const { id: other } = await addRecord(storage.records, { embedding: at(50) });
    await settled(storage);
    const [name] = await outside.collections(storage);
    const lost = (await outside.points(storage)).find(({ payload }) => payload?.record === id);
    await outside.client.delete(name!, { wait: true, points: [lost!.id] });
    await server.kill();
    await until(async () => (await near(storage)).length > 0 && !(await storage.indexStatus!()).isUp);
    await server.start();
    await until(async () => (await outside.records(storage)).length === 2);
    expect(await outside.records(storage)).toEqual([id, other]);
  });
});
