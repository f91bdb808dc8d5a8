/** What Qdrant finds is what the main engine would have found, whatever is filtered, and whatever changes meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { addRecord, BOB, context, updateRecord } from '../../../src/testing/conformance/drafts.ts';
import { findsTheSame, searchedByQdrant } from './history.ts';
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

let server: Pick<QdrantServer, 'url'>;
beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
});

const openStrict = async (file: string): Promise<Storage> =>
  searchedByQdrant(await openSqlite({ file }), server.url);

describe('through Qdrant', () => {
  it('every filter gives what the main engine gives, in the same order, when all is carried and while it is', async () => {
    const file = databaseFile();
    await findsTheSame(await openStrict(file), await openPlain(file));
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
