/** Words that Qdrant finds for Postgres: the same records with the same scores as Postgres finds alone, whatever happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineQdrant } from '../../../src/drivers/qdrant/index.ts';
import { queryTerms } from '../../../src/kernel/analysis.ts';
import type { TextQuery } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { ADMIN, addRecord, START } from '../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../src/testing/index.ts';
import { type Schemas, schemasForTests } from '../postgres/schemas.ts';
import { addAnything, anyFilter, changeAnything, VIEWERS } from './history.ts';
import { type QdrantServer, qdrantServer } from './server.ts';
import { found, openWorded, spacesIn, text, type Worded, word } from './words.ts';
import { at, Outside, PREFIX, settled, until } from './workbench.ts';

let server: QdrantServer;
let schemas: Schemas;

beforeAll(async () => {
  [server, schemas] = await Promise.all([qdrantServer(), schemasForTests()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([server.stop(), schemas.stop()]);
});

const SEED = Number(process.env.KEEPSAKE_SEED ?? 20_261_117);
const everything = (...terms: string[]): TextQuery => ({
  ...{ viewer: ADMIN, now: START, filter: {}, terms, limit: 1_000 },
});

function anyQuery(random: SeededRandom): TextQuery {
  const count = random.pick([1, 1, 2, 3, 5, 12, 64]);
  const asked = Array.from({ length: count }, () => word(random)).join(' ');
  return {
    viewer: random.pick(VIEWERS),
    now: START + Math.floor(random.next() * 20) - 10,
    filter: random.next() < 0.5 ? {} : anyFilter(random),
    terms: random.next() < 0.1 ? ['nobody', 'says'] : queryTerms(asked, 64),
    limit: random.pick([1, 3, 10, 40, 1_000]),
  };
}

/** Asks both, so many times; says how many records were found. */
async function compare({ storage, plain }: Worded, random: SeededRandom, times = 1): Promise<number> {
  let hits = 0;
  for (let i = 0; i < times; i++) {
    const query = anyQuery(random);
    const expected = await found(plain, query);
    expect(await found(storage, query), `seed ${random.seed}: ${JSON.stringify(query)}`).toEqual(expected);
    hits += expected.length;
  }
  return hits;
}

async function add(storage: Storage, contents: readonly string[], model = at(0)): Promise<string[]> {
  const adding = contents.map((content) => addRecord(storage.records, { content, embedding: model }));
  return (await Promise.all(adding)).map(({ id }) => id);
}

describe('what is found by words', () => {
  it('is what Postgres finds: with filters, changes that wait, texts without vectors, and Qdrant down in between', {
    timeout: 180_000,
  }, async () => {
    const random = seededRandom(SEED);
    const both = await openWorded(schemas.take(), { url: server.url });
    const { storage, asked } = both;
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      // Many of one length, so that many score alike; one of a hundred has no vector.
      const contents = Array.from({ length: 100 }, (_, k) =>
        k < 60 ? text(random) : `${word(random)} ${word(random)}`,
      );
      const adding = contents.map((content, k) =>
        addAnything(storage, random, k === 99 ? { content, embedding: undefined as never } : { content }),
      );
      ids.push(...(await Promise.all(adding)));
    }
    await both.worded();
    let hits = 0;
    for (let i = 0; i < 300; i++) {
      hits += await compare(both, random);
      if (i % 2 === 0) await changeAnything(storage, ids, random, () => text(random));
      both.hold(i % 50 > 10);
      if (i % 50 === 0) await settled(storage);
    }
    both.hold(false);
    await settled(storage);
    expect(hits).toBeGreaterThan(1_000);
    // Where very many score alike, and nowhere else, Postgres decides.
    expect(asked()).toBeLessThan(30);

    await server.kill();
    const before = asked();
    for (let i = 0; i < 20; i++) {
      await compare(both, random);
      await changeAnything(storage, ids, random, () => text(random));
    }
    expect(asked()).toBe(before + 20);
    await server.start();
    await settled(storage);
    await compare(both, random, 30);
    expect(asked()).toBeLessThan(before + 20 + 10);
  });

  it('is the same when texts are much shorter by now than Qdrant takes them to be', {
    timeout: 120_000,
  }, async () => {
    const random = seededRandom(SEED);
    const both = await openWorded(schemas.take(), { url: server.url });
    await add(both.storage, [Array.from({ length: 300 }, () => word(random)).join(' ')]);
    await both.worded();
    const [, lengthThen] = (await spacesIn(new Outside(server.url), both.storage))[0]!.match(/-(\d+)$/)!;
    expect(Number(lengthThen)).toBeGreaterThan(3_000);
    for (let i = 0; i < 9; i++) {
      const contents = Array.from({ length: 100 }, (_, k) => `${text(random, k < 20 ? 60 : 8)} ${i} ${k}`);
      await add(both.storage, contents);
    }
    await settled(both.storage);
    expect(await compare(both, random, 150)).toBeGreaterThan(1_000);
    expect(both.asked()).toBeLessThan(100);
  });

  it('without any vector, or with vectors of two models, is found by Postgres', async () => {
    const { storage, plain, asked, worded } = await openWorded(schemas.take(), { url: server.url });
    const bare = { content: 'tea without a vector' };
    const { id } = await addRecord(storage.records, bare);
    expect(await found(storage, everything('tea'))).toEqual(await found(plain, everything('tea')));
    expect(asked()).toBe(1);
    const ids = [id, ...(await add(storage, ['tea of one model', 'tea of the same']))];
    await worded();
    expect((await found(storage, everything('tea'))).map(([hit]) => hit).sort()).toEqual(ids);
    expect(asked()).toBe(0);
    ids.push(
      ...(await add(storage, ['tea of another'], { model: 'test:other@1', vector: Float32Array.of(1) })),
    );
    await settled(storage);
    expect((await found(storage, everything('tea'))).map(([hit]) => hit).sort()).toEqual(ids);
    expect(asked()).toBe(1);
  });
});

describe('an index', () => {
  it('from before words were there is rebuilt, and leaves nothing behind', async () => {
    const url = schemas.take();
    const outside = new Outside(server.url);
    const old = await openWorded(url, { url: server.url, words: false });
    const ids = await add(old.storage, ['tea', 'tea and milk', 'coffee']);
    await until(async () => (await outside.records(old.storage)).length === ids.length);
    await settled(old.storage);
    expect(await spacesIn(outside, old.storage)).toEqual([]);
    const [name] = await outside.collections(old.storage);
    // Whoever has few texts leaves it as it is.
    const few = await openWorded(url, { url: server.url, wordsFrom: 4 });
    expect((await found(few.storage, everything('tea'))).length).toBe(2);
    expect(await outside.collections(few.storage)).toEqual([name]);

    const { storage, asked, worded } = await openWorded(url, { url: server.url });
    await worded();
    const { collections } = await outside.client.getCollections();
    expect(collections.map((each) => each.name)).not.toContain(name);
    expect(await outside.records(storage)).toEqual(ids);
    expect((await found(storage, everything('tea'))).map(([id]) => id)).toEqual(ids.slice(0, 2));
    expect(asked()).toBe(0);
    // The one that wants no words still carries them for the others, and both find the same.
    const [milk] = await add(old.storage, ['milk']);
    await settled(old.storage);
    expect((await found(storage, everything('milk'))).map(([id]) => id)).toEqual([milk, ids[1]]);
    expect((await found(old.storage, everything('milk'))).map(([id]) => id)).toEqual([milk, ids[1]]);
    expect([asked(), old.asked()]).toEqual([0, 1]);
  });

  it('is rebuilt when texts have become much longer', { timeout: 120_000 }, async () => {
    const random = seededRandom(SEED);
    const both = await openWorded(schemas.take(), { url: server.url });
    const outside = new Outside(server.url);
    await add(both.storage, ['tea']);
    await both.worded();
    const [before] = await spacesIn(outside, both.storage);
    for (let i = 0; i < 10; i++) {
      await add(
        both.storage,
        Array.from({ length: 100 }, (_, k) => `${text(random)} ${i} ${k}`),
      );
    }
    await until(async () => {
      const [now] = await spacesIn(outside, both.storage);
      return now !== undefined && now !== before;
    });
    await both.worded();
    await compare(both, random, 20);
    expect(both.asked()).toBeLessThan(5);
  });

  it('whose points lack their words is found and mended', async () => {
    const { storage, plain, asked, worded } = await openWorded(schemas.take(), { url: server.url });
    const [id] = await add(storage, ['tea', 'coffee']);
    await worded();
    const outside = new Outside(server.url);
    const options = { url: server.url, prefix: PREFIX };
    const whole = { check: 'qdrant.content', severity: 'ok', message: expect.stringContaining('and words') };
    expect(await examineQdrant(plain, { ...options, fix: false })).toContainEqual(whole);

    const [name] = await outside.collections(storage);
    const lost = (await outside.points(storage)).find(({ payload }) => payload?.record === id)!;
    await outside.client.deleteVectors(name!, {
      ...{ wait: true, points: [lost.id], vector: await spacesIn(outside, storage) },
    });
    expect(await found(storage, everything('tea'))).toEqual([]);
    const problem = { check: 'qdrant.content', severity: 'problem', fixable: true };
    expect(await examineQdrant(plain, { ...options, fix: false })).toContainEqual(
      expect.objectContaining(problem),
    );
    expect(await examineQdrant(plain, { ...options, fix: true })).toContainEqual(
      expect.objectContaining({ ...problem, fixed: true }),
    );
    expect((await found(storage, everything('tea'))).map(([hit]) => hit)).toEqual([id]);
    expect(asked()).toBe(0);
  });

  it('that somebody deleted is rebuilt, and Postgres answers until then', async () => {
    const { storage, asked, worded } = await openWorded(schemas.take(), { url: server.url });
    const ids = await add(storage, ['tea', 'coffee']);
    await worded();
    const outside = new Outside(server.url);
    for (const name of await outside.collections(storage)) await outside.client.deleteCollection(name);
    expect((await found(storage, everything('tea'))).map(([id]) => id)).toEqual([ids[0]]);
    expect(asked()).toBe(1);
    await until(async () => (await outside.records(storage)).length === 2);
    await worded();
    expect((await found(storage, everything('tea'))).map(([id]) => id)).toEqual([ids[0]]);
    expect(asked()).toBe(0);
  });
});
