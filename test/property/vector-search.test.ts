/** Every way to search gives the same records with the same similarities, whatever happened to them before. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VectorQuery } from '../../src/ports/record-store.ts';
import type { Storage } from '../../src/ports/storage.ts';
import {
  ADMIN,
  ALICE,
  addRecord,
  BOB,
  context,
  START,
  updateRecord,
} from '../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../src/testing/index.ts';
import { newFile, open, results, SEARCHES, topicVectors } from '../drivers/sqlite/vectors/fixture.ts';

const MODELS = ['test:one@1', 'test:two@1'];

async function live(storage: Storage, random: SeededRandom, vector: () => Float32Array, steps: number) {
  const { records } = storage;
  const ids: string[] = [];
  const embedding = () => ({ model: random.below(5) === 0 ? MODELS[1]! : MODELS[0]!, vector: vector() });
  const add = async () => {
    const { id } = await addRecord(records, {
      agent: random.pick(['alice', 'bob']),
      scope: random.pick(['agent', 'swarm']),
      category: random.pick(['fact', 'fact', 'rare']),
      expiresAt: random.pick([null, null, START + random.below(3)]),
      ...(random.below(6) === 0 ? {} : { embedding: embedding() }),
    });
    ids.push(id);
  };
  const change = async () => {
    const id = random.pick(ids);
    const kind = random.below(6);
    const patch =
      kind === 0
        ? { content: `text ${random.next()}` }
        : kind < 3
          ? { content: `text ${random.next()}`, embedding: embedding() }
          : { scope: random.pick(['agent', 'swarm'] as const) };
    if (kind === 5) await records.forget(id, context(ADMIN));
    else await updateRecord(records, id, patch, START, ADMIN).catch(() => {});
  };
  await add();
  for (let i = 0; i < steps; i++)
    await Promise.all(Array.from({ length: 6 }, random.below(3) > 0 ? add : change));
  const waiting = await records.vectors.waiting(MODELS[0]!, 5);
  await records.vectors.save(
    MODELS[0]!,
    waiting.map(({ id, version }) => ({ id, version, vector: vector() })),
  );
}

const QUERIES: readonly Partial<VectorQuery>[] = [
  {},
  { limit: 1 },
  { limit: 500 },
  { viewer: ALICE },
  { viewer: BOB, now: START + 1 },
  { viewer: { role: 'worker' } },
  { viewer: ALICE, filter: { categories: ['rare'] }, now: START + 3 },
  { filter: { agent: 'bob' }, limit: 3 },
  { filter: { scopes: ['agent'] } },
];

describe('all ways to search', () => {
  it('agree, on random lives of records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 31 }),
        fc.integer({ min: 2, max: 50 }),
        async (seed, dimensions) => {
          const random = seededRandom(seed);
          const file = newFile();
          const stores = await Promise.all(SEARCHES.map((search) => open(file, search)));
          const vector = topicVectors(random, dimensions);
          for (let round = 0; round < 3; round++) {
            // By each of them in turn, so that each sees the writes of others.
            await live(stores[round]!, random, vector, 12);
            for (const query of QUERIES) {
              const embedding = { model: random.pick(MODELS), vector: vector() };
              const [wasm, plain, vec] = await Promise.all(
                stores.map((store) => results(store, embedding, query)),
              );
              expect(wasm).toEqual(plain);
              expect(vec).toEqual(plain);
            }
          }
          await Promise.all(stores.map((store) => store.close()));
        },
      ),
      { numRuns: 20 },
    );
  });
});
