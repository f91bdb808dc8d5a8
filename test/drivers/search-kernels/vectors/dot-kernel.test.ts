/** Exact cosines by WebAssembly are those of plain JavaScript, to the last bit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cosine } from '../../../../src/drivers/search-kernels/vectors/dot.ts';
import { canMultiply } from '../../../../src/drivers/search-kernels/vectors/dot-kernel.ts';
import { VectorSlots } from '../../../../src/drivers/search-kernels/vectors/vector-slots.ts';

it('runs on this machine', () => {
  expect(canMultiply()).toBe(true);
});

it.each([1, 3, 4, 8, 100, 256, 384, 1_537])('with %i dimensions', (dimensions) => {
  const numbers = fc.float32Array({
    minLength: dimensions,
    maxLength: dimensions,
    noNaN: true,
    max: 2,
    min: -2,
  });
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1, maxLength: 5 }), numbers, (vectors, query) => {
      const slots = new VectorSlots(dimensions);
      const places = vectors.map((vector, i) => slots.put(i + 1, i + 1, vector));
      expect(places.map((place) => slots.cosine(query, place))).toEqual(
        vectors.map((vector) => cosine(query, vector)),
      );
    }),
    { numRuns: 30 },
  );
});

it('keeps up with another query, more vectors than memory was asked for, and those that are taken away', () => {
  const slots = new VectorSlots(8);
  const vectorOf = (seed: number) => Float32Array.from({ length: 8 }, (_, i) => Math.sin(seed * 31 + i) / 3);
  const places = Array.from({ length: 5_000 }, (_, i) => slots.put(i + 1, i + 1, vectorOf(i)));
  for (const query of [vectorOf(-1), vectorOf(-2)])
    for (const i of [0, 1, 511, 512, 4_999])
      expect(slots.cosine(query, places[i]!)).toBe(cosine(query, vectorOf(i)));
  slots.drop(512);
  expect(slots.find(512)).toBeLessThan(0);
  expect(slots.cosine(vectorOf(-1), places[511]!)).toBe(0);
});
