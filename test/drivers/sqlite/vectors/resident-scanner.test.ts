/** What makes the resident index take another path than usual gives the same answers as reading everything. */
import { expect, it } from 'vitest';
import type { VectorQuery } from '../../../../src/ports/record-store.ts';
import { addRecord, updateRecord } from '../../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../../src/testing/index.ts';
import { MODEL, newFile, open, results, topicVectors } from './fixture.ts';

it('the answers are right when nearly everything is filtered out, or has gone meanwhile', async () => {
  const file = newFile();
  const [ours, plain] = [await open(file, 'wasm'), await open(file, 'plain')];
  const random = seededRandom(3);
  const vector = topicVectors(random, 24);
  const embedding = { model: MODEL, vector: vector() };
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const batch = Array.from({ length: 500 }, (_, j) =>
      addRecord(plain.records, {
        category: j % 250 === 0 ? 'rare' : 'fact',
        embedding: { model: MODEL, vector: vector() },
      }),
    );
    ids.push(...(await Promise.all(batch)).map(({ id }) => id));
  }
  const both = async (query: Partial<VectorQuery>) => {
    const right = await results(plain, embedding, query);
    expect(await results(ours, embedding, query)).toEqual(right);
    return right.length;
  };
  expect(await both({ filter: { categories: ['rare'] } })).toBe(6);
  expect(await both({ filter: { categories: ['none'] } })).toBe(0);
  await Promise.all(ids.slice(0, 1_400).map((id) => updateRecord(plain.records, id, { content: `${id}!` })));
  expect(await both({})).toBe(10);
  expect(await both({ limit: 2_000 })).toBe(100);
  expect(await both({})).toBe(10);
});
