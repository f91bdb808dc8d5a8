/** What makes the resident index take another path than usual gives the same answers as reading everything. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canScan, canScanQuickly } from '../../../../src/drivers/search-kernels/vectors/scan-kernel.ts';
import type { VectorQuery } from '../../../../src/ports/record-store.ts';
import { addRecord, updateRecord } from '../../../../src/testing/conformance/drafts.ts';
import { type SeededRandom, seededRandom } from '../../../../src/testing/index.ts';
import { addMany, MODEL, newFile, open, results, topicVectors } from './fixture.ts';

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

/** Vectors that rounding could get wrong, among others that are hardly different from them. */
function strangeVectors(random: SeededRandom, dimensions: number): () => Float32Array {
  const usual = topicVectors(random, dimensions);
  const at = random.below(dimensions);
  const kinds = [
    () => new Float32Array(dimensions),
    () => new Float32Array(dimensions).fill(1),
    () => new Float32Array(dimensions).fill(-1),
    () => Float32Array.from({ length: dimensions }, (_, i) => (i % 2 === 0 ? 1 : -1)),
    () => usual().fill(1_000, at, at + 1),
    () => Float32Array.from({ length: dimensions }, () => random.pick([1, -1])),
  ];
  return () => (random.below(2) === 0 ? random.pick(kinds)() : usual());
}

/** An engine that knows SIMD, but not its younger part. */
function withoutQuickScan(): void {
  const engine = (globalThis as unknown as { WebAssembly: { validate: (bytes: Uint8Array) => boolean } })
    .WebAssembly;
  const validate = engine.validate.bind(engine);
  const relaxed = Buffer.from([0xfd, 0x92, 0x02]);
  const spy = vi
    .spyOn(engine, 'validate')
    .mockImplementation((bytes) => !Buffer.from(bytes).includes(relaxed) && validate(bytes));
  onTestFinished(() => spy.mockRestore());
}

describe.each([{ isQuick: true }, { isQuick: false }])('with a quick scan: $isQuick', ({ isQuick }) => {
  it.each([1, 2, 15, 16, 24, 33, 100, 256])(
    '%i dimensions give what plain numbers give',
    async (dimensions) => {
      if (!isQuick) withoutQuickScan();
      expect(canScan()).toBe(true);
      expect(canScanQuickly()).toBe(isQuick);
      const file = newFile();
      const [ours, plain] = [await open(file, 'wasm'), await open(file, 'plain')];
      const vector = strangeVectors(seededRandom(dimensions), dimensions);
      const added = await addMany(ours, 700, vector);
      for (let i = 0; i < 20; i++) {
        const embedding = { model: MODEL, vector: vector() };
        for (const limit of [1, 10, 50]) {
          const right = await results(plain, embedding, { limit });
          expect(await results(ours, embedding, { limit })).toEqual(right);
          expect(right.length).toBe(Math.min(limit, added.length));
        }
      }
    },
  );
});
