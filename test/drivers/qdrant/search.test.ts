/** What Qdrant finds is what the main engine would have found, whatever is filtered, and whatever changes meanwhile. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { IndexedRecordStore } from '../../../src/drivers/qdrant/record-store.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { SOURCES } from '../../../src/kernel/record.ts';
import type { Viewer } from '../../../src/kernel/scope.ts';
import type { RecordFilter, VectorQuery } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  BOB,
  context,
  START,
  updateRecord,
} from '../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../src/testing/index.ts';
import { type QdrantServer, qdrantForTests } from './server.ts';
import {
  at,
  databaseFile,
  MODEL,
  near,
  Outside,
  openIndexed,
  openPlain,
  PREFIX,
  settled,
} from './workbench.ts';

let server: Pick<QdrantServer, 'url' | 'stop'>;
beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
  await server.stop();
});

/** Whose main engine refuses to search: what is found was found by Qdrant. */
async function openStrict(file: string): Promise<Storage> {
  const main = await openSqlite({ file });
  const { vectors } = main.records;
  const refusing = {
    search: () => Promise.reject(new Error('The main engine was asked.')),
    similarities: vectors.similarities.bind(vectors),
    waiting: vectors.waiting.bind(vectors),
    save: vectors.save.bind(vectors),
    backlog: vectors.backlog.bind(vectors),
  };
  const records = new IndexedRecordStore(main.records, refusing, () => {});
  const storage = withQdrant({ ...main, records }, { url: server.url, prefix: PREFIX, patienceMs: 20_000 });
  onTestFinished(() => storage.close());
  return storage;
}

const VIEWERS: readonly Viewer[] = [ADMIN, ALICE, BOB, { role: 'lead' }];
const CATEGORIES = ['fact', 'preference', 'to do, soon', 'half \ud83d', ''];
const TAGS = ['red', 'green', 'very "blue"', 'ünï'];
const THREADS = [null, 'thread/1', 'thread/2'];

const pick = <T>(random: SeededRandom, from: readonly T[]): T => random.pick(from);

async function addAnything(storage: Storage, random: SeededRandom): Promise<string> {
  const time = START - Math.floor(random.next() * 1_000);
  const { id } = await addRecord(
    storage.records,
    {
      agent: pick(random, ['alice', 'bob']),
      scope: pick(random, ['agent', 'swarm']),
      source: pick(random, SOURCES),
      category: pick(random, CATEGORIES),
      confidence: Math.round(random.next() * 100) / 100,
      tags: TAGS.filter(() => random.next() < 0.4),
      pinned: random.next() < 0.3,
      thread: pick(random, THREADS),
      validFrom: random.next() < 0.3 ? time - 500 : null,
      expiresAt: random.next() < 0.4 ? START + Math.floor(random.next() * 20) - 10 : null,
      // Whole degrees, so that some are equally near.
      embedding: at(Math.floor(random.next() * 180)),
    },
    time,
  );
  return id;
}

function anyFilter(random: SeededRandom): RecordFilter {
  const maybe = <T extends RecordFilter>(filter: () => T): T | object =>
    random.next() < 0.25 ? filter() : {};
  return {
    ...maybe(() => ({ categories: CATEGORIES.filter(() => random.next() < 0.5) })),
    ...maybe(() => ({ sources: SOURCES.filter(() => random.next() < 0.6) })),
    ...maybe(() => ({ scopes: [pick(random, ['agent', 'swarm'] as const)] })),
    ...maybe(() => ({ tags: TAGS.filter(() => random.next() < 0.3) })),
    ...maybe(() => ({ agent: pick(random, ['alice', 'bob', 'nobody']) })),
    ...maybe(() => ({ minConfidence: pick(random, [0, 0.25, 0.5, 0.77]) })),
    ...maybe(() => ({ createdSince: START - Math.floor(random.next() * 1_000) })),
    ...maybe(() => ({ createdBefore: START - Math.floor(random.next() * 1_000) })),
    ...maybe(() => ({ pinned: random.next() < 0.5 })),
    ...maybe(() => ({ thread: pick(random, ['thread/1', 'thread/2', 'thread/3']) })),
    ...maybe(() => ({ heldAt: START - Math.floor(random.next() * 1_500) })),
  };
}

const anyQuery = (random: SeededRandom): VectorQuery => ({
  viewer: pick(random, VIEWERS),
  now: START + Math.floor(random.next() * 20) - 10,
  filter: anyFilter(random),
  embedding: at(Math.floor(random.next() * 360)),
  limit: pick(random, [1, 3, 10, 1_000]),
});

/** Another state of one of the records. */
async function changeAnything(
  { records }: Storage,
  ids: readonly string[],
  random: SeededRandom,
): Promise<void> {
  const id = pick(random, ids);
  const change = random.next();
  const owner = (await records.get(id, ADMIN, START))!.agent === 'bob' ? BOB : ALICE;
  try {
    if (change < 0.15) await records.forget(id, context(owner));
    else if (change < 0.4)
      await updateRecord(records, id, { scope: pick(random, ['agent', 'swarm']) }, START, owner);
    else if (change < 0.6) await updateRecord(records, id, { tags: [pick(random, TAGS)] }, START, owner);
    else if (change < 0.8)
      await updateRecord(
        records,
        id,
        { content: `new ${change}`, embedding: at(change * 360) },
        START,
        owner,
      );
    else await updateRecord(records, id, { content: `bare ${change}` }, START, owner);
  } catch (error) {
    // Forgotten before, or a result of a swarm, which nobody changes.
    expect(error).toMatchObject({ code: expect.stringMatching(/FORGOTTEN|FORBIDDEN/) });
  }
}

describe('through Qdrant', () => {
  it('every filter gives what the main engine gives, in the same order, when all is carried and while it is', async () => {
    const random = seededRandom(Number(process.env.SEED ?? 20_261_117));
    const file = databaseFile();
    const storage = await openStrict(file);
    const plain = await openPlain(file);
    const ids: string[] = [];
    for (let i = 0; i < 250; i++) ids.push(await addAnything(storage, random));
    await settled(storage);
    for (let i = 0; i < 300; i++) {
      const query = anyQuery(random);
      const expected = await plain.records.vectors.search(query);
      const found = await storage.records.vectors.search(query);
      expect(found, `seed ${random.seed}, query ${i}: ${JSON.stringify(query)}`).toEqual(expected);
      // Now and then something changes, and is searched before it is carried.
      if (i % 3 === 0) await changeAnything(storage, ids, random);
      if (i % 50 === 0) await settled(storage);
    }
  });

  it('of more that are equally near than it looks at, the newest come first', async () => {
    const file = databaseFile();
    const storage = await openStrict(file);
    const ids: string[] = [];
    for (let i = 0; i < 120; i++) ids.unshift((await addRecord(storage.records, { embedding: at(10) })).id);
    await settled(storage);
    expect(await near(storage, { limit: 3 })).toEqual(ids.slice(0, 3));
  });

  it('a point that should not be there takes nobody’s place', async () => {
    const storage = await openStrict(databaseFile());
    const outside = new Outside(server.url);
    const { id } = await addRecord(storage.records, { embedding: at(40) });
    const { id: gone } = await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    const [name] = await outside.collections(storage);
    const point = (await outside.points(storage)).find(({ payload }) => payload?.record === gone)!;
    await storage.records.forget(gone, context());
    await settled(storage);
    // As a request would that was sent long ago, and arrives only now.
    const late = Array.from({ length: 60 }, (_, i) => ({
      id: 1_000_000 + i,
      vector: [1, 0],
      payload: point.payload!,
    }));
    await outside.client.upsert(name!, { wait: true, points: late });
    expect(await near(storage, { limit: 1 })).toEqual([id]);
  });

  it('a change that was sent twice, or late, is one', async () => {
    const storage = await openStrict(databaseFile());
    const outside = new Outside(server.url);
    const { id } = await addRecord(storage.records, { embedding: at(0) });
    await settled(storage);
    const [name] = await outside.collections(storage);
    const [before] = await outside.points(storage);
    await updateRecord(storage.records, id, { scope: 'swarm' });
    await settled(storage);
    const vector = before!.vector as number[];
    await outside.client.upsert(name!, {
      wait: true,
      points: [{ id: before!.id, vector, payload: before!.payload! }],
    });
    expect(await near(storage, { viewer: BOB })).toEqual([id]);
    expect(await near(storage)).toEqual([id]);
  });

  it('holds ids, labels and vectors, and no text of a memory', async () => {
    const storage = await openIndexed(databaseFile(), { url: server.url });
    await addRecord(storage.records, {
      content: 'the secret word',
      metadata: { note: 'hidden' },
      embedding: at(0),
    });
    await settled(storage);
    const outside = new Outside(server.url);
    const told = JSON.stringify(await outside.points(storage));
    expect(told).not.toContain('secret');
    expect(told).not.toContain('hidden');
    const [name] = await outside.collections(storage);
    const { payload_schema: indexed } = await outside.client.getCollection(name!);
    expect(Object.keys(indexed)).toEqual(
      expect.arrayContaining(['agent', 'scope', 'expiresAt', 'category', 'tags']),
    );
    expect(name).toContain(MODEL.replace(/[^a-z0-9]+/g, '-'));
  });

  it('is not asked while more waits than it pays to look at one by one', async () => {
    const file = databaseFile();
    const plain = await openPlain(file);
    const writes = Array.from({ length: 1_200 }, (_, i) =>
      addRecord(plain.records, { embedding: at(i / 10) }),
    );
    await Promise.all(writes);
    const storage = await openIndexed(file, { url: server.url });
    expect((await near(storage, { limit: 5 })).length).toBe(5);
    await settled(storage);
    expect(await near(storage)).toEqual(await near(plain));
  });
});
