/** Servers on Postgres answer from memory what Postgres itself would answer, and never what another server has forgotten. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import type { RecordDraft, RecordFilter } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { recordStoreConformance, seededRandom } from '../../../src/testing/index.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

const AT = 1_767_225_600_000;
const MODEL = 'model';
const DIMENSIONS = 32;
const IN_MEMORY = { bytes: 2 ** 28, isEager: true };
const context = { at: AT, viewer: { role: 'admin' }, via: 'sdk' } as const;
const options = { maxFacts: 1e6 };

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

describe('in memory', () => {
  recordStoreConformance({
    ...{ describe, it, expect },
    open: async () => {
      const url = schemas.take();
      const open = () => openPostgres({ url, resident: IN_MEMORY });
      return { storage: await open(), again: open, remove: () => schemas.giveBack(url) };
    },
  });
});

const random = seededRandom(23);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;
const word = (): string => `word${Math.floor(90 ** random.next())}`;
const words = (count: number): string[] => Array.from({ length: count }, word);
const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);

let made = 0;
function draft(): RecordDraft {
  const isWaiting = random.next() < 0.1;
  return {
    ...({ id: `mem_${made++}`, confidence: 1, metadata: {}, origin: 'user', pinned: false } as const),
    ...{ agent: pick(['ann', 'bob']), user: pick([null, null, 'u1', 'u2']) },
    ...{ scope: pick(['agent', 'agent', 'swarm'] as const), source: pick(['manual', 'knowledge'] as const) },
    ...{ category: pick(['fact', 'fact', 'wanted']), tags: random.next() < 0.2 ? [word()] : [] },
    content: `${words(1 + Math.floor(random.next() * 15)).join(' ')} number${made}`,
    ...{ thread: pick([null, 't1', 't2']), validFrom: null },
    expiresAt: random.next() < 0.1 ? AT + Math.floor(random.next() * 100) : null,
    ...(isWaiting ? {} : { embedding: { model: MODEL, vector: vector() } }),
  };
}

async function answers(storage: Storage, seed: number) {
  const { records } = storage;
  const asked = seededRandom(seed);
  const one = <T>(values: readonly T[]): T => values[Math.floor(asked.next() * values.length)]!;
  const terms = [...new Set(Array.from({ length: 6 }, () => `word${Math.floor(90 ** asked.next())}`))];
  const filters: RecordFilter[] = [
    {},
    {},
    { categories: ['wanted'] },
    { thread: 't1' },
    { user: 'u1' },
    { agent: 'ann' },
  ];
  const viewer = one([
    { role: 'admin' },
    { role: 'worker', agent: 'ann' },
    { role: 'worker', agent: 'bob', user: 'u1' },
  ] as const);
  const embedding = {
    model: MODEL,
    vector: Float32Array.from({ length: DIMENSIONS }, () => asked.next() - 0.5),
  };
  const query = {
    viewer,
    now: AT + Math.floor(asked.next() * 100),
    filter: one(filters),
    limit: 1 + (seed % 40),
  };
  const byWords = await records.searchText({ ...query, terms });
  const near = await records.vectors.search({ ...query, embedding });
  const ids = byWords.map(({ record }) => record.id);
  const { frequencies, population } = await records.termStatistics(terms, viewer);
  return {
    byWords: byWords.map(({ record, textScore }) => [record, textScore]),
    near,
    similarities: await records.vectors.similarities(ids, embedding),
    beside: await records.neighbours({ ...query, ids, reach: 2 }),
    ...{ frequencies, population },
  };
}

it('records, scores, similarities, neighbours and counts are those of Postgres, through any history', async () => {
  const url = schemas.take();
  const memory = await openPostgres({ url, resident: IN_MEMORY });
  const plain = await openPostgres({ url, resident: { bytes: 0 } });
  const ids: string[] = [];
  for (let round = 0; round < 12; round++) {
    const writer = round % 2 === 0 ? plain : memory;
    // More than are taken over in one look, in the first round.
    const drafts = Array.from({ length: round === 1 ? 300 : 40 }, draft);
    await Promise.all(drafts.map((each) => writer.records.add(each, options, context)));
    ids.push(...drafts.map(({ id }) => id));
    await writer.records.update(pick(ids), { content: words(5).join(' ') }, options, context).catch(() => {});
    await writer.records.update(pick(ids), { scope: 'swarm' }, options, context).catch(() => {});
    await writer.records.countAccess([pick(ids), pick(ids)], 'access', AT);
    for (const id of [pick(ids), pick(ids)]) await writer.records.forget(id, context).catch(() => {});
    const waiting = await writer.records.vectors.waiting(MODEL, 3);
    await writer.records.vectors.save(
      MODEL,
      waiting.map((each) => ({ ...each, vector: vector() })),
    );
    for (let i = 0; i < 8; i++) {
      const seed = round * 100 + i;
      expect(await memory.records.forSearch!()).toBeDefined();
      expect(await answers(memory, seed)).toEqual(await answers(plain, seed));
    }
  }
  await Promise.all([memory.close(), plain.close()]);
});

it('what one server forgets, no other ever returns, whatever all of them write meanwhile', async () => {
  const url = schemas.take();
  const servers = await Promise.all([1, 2, 3].map(() => openPostgres({ url, resident: IN_MEMORY })));
  const drafts = Array.from({ length: 60 }, (_, i) => ({
    ...draft(),
    ...{ expiresAt: null, scope: 'swarm' as const, user: null, content: `shared secret${i}` },
  }));
  for (const each of drafts) await servers[0]!.records.add(each, options, context);
  const query = { viewer: { role: 'admin' } as const, now: AT, filter: {}, limit: 100 };
  const found = async (server: Storage): Promise<string[]> => {
    const reads = await server.records.forSearch!();
    expect(reads).toBeDefined();
    const near = await reads!.vectors.search({ ...query, embedding: { model: MODEL, vector: vector() } });
    const hits = await reads!.searchText({ ...query, terms: ['share'] });
    return [...hits, ...near].map(({ record }) => record.id);
  };
  const gone = new Set<string>();
  await Promise.all(
    servers.map(async (server, own) => {
      for (const { id } of drafts.filter((_, i) => i % servers.length === own)) {
        await server.records.forget(id, context);
        gone.add(id);
        for (const other of servers) {
          const before = [...gone];
          const ids = new Set(await found(other));
          expect(before.filter((each) => ids.has(each))).toEqual([]);
        }
      }
    }),
  );
  expect(gone.size).toBe(drafts.length);
  for (const server of servers) expect(await found(server)).toEqual([]);
  await Promise.all(servers.map((server) => server.close()));
});

it('what does not fit into the memory that it may take is answered by Postgres', async () => {
  const url = schemas.take();
  const small = await openPostgres({ url, resident: { bytes: 20_000, isEager: true } });
  const viewer = { role: 'admin' } as const;
  const ask = async () => {
    const hits = await small.records.searchText({ viewer, now: AT, filter: {}, terms: ['lamp'], limit: 3 });
    return hits.map(({ record }) => record.id);
  };
  const lamp = { ...draft(), content: 'A lamp', expiresAt: null };
  await small.records.add(lamp, options, context);
  expect(await small.records.forSearch!()).toBeDefined();
  for (let i = 0; i < 40; i++) await small.records.add(draft(), options, context);
  expect(await small.records.forSearch!()).toBeUndefined();
  expect(await ask()).toEqual([lamp.id]);
  await small.close();
});

it('a change of everything at once is read anew', async () => {
  const url = schemas.take();
  const storage = await openPostgres({ url, resident: IN_MEMORY });
  const all = Array.from({ length: 20 }, () => ({
    ...draft(),
    expiresAt: null,
    embedding: { model: MODEL, vector: vector() },
  }));
  for (const each of all) await storage.records.add(each, options, context);
  const embedding = { model: 'next', vector: vector() };
  const query = { viewer: { role: 'admin' } as const, now: AT, filter: {}, limit: 50, embedding };
  expect(await storage.records.vectors.search(query)).toEqual([]);
  const aside = storage.records.vectors.aside!;
  const texts = await aside.waiting('next', 100);
  await aside.begin('next');
  await aside.save(
    'next',
    texts.map((each) => ({ ...each, vector: vector() })),
  );
  expect(await aside.switchTo('next', 0)).toMatchObject({ switched: true });
  expect((await storage.records.vectors.search(query)).length).toBe(all.length);
  await storage.close();
});
