/** Vectors as they are stored: what is taken, what is refused, and what comes back from the bytes. */
import { describe, expect, it } from 'vitest';
import { fromBlob, toBlob, unitVector } from '../../../src/drivers/common/vector-math.ts';
import { cosine, dot } from '../../../src/drivers/search-kernels/vectors/dot.ts';

const unit = (...numbers: number[]) => unitVector({ model: 'm', vector: Float32Array.from(numbers) });

describe('a unit vector', () => {
  it('has the same direction and length 1', () => {
    expect([...unit(3, 4)]).toEqual([...Float32Array.from([0.6, 0.8])]);
    expect(unit(0, -7, 0)).toEqual(Float32Array.from([0, -1, 0]));
    const long = unit(...Array.from({ length: 11 }, (_, i) => i - 5));
    expect(dot(long, long)).toBeCloseTo(1, 6);
  });

  it('that is one already, or has no direction, stays the very one', () => {
    for (const numbers of [
      [1, 0],
      [0, 0, 0],
      [0.6, 0.8],
    ]) {
      const vector = Float32Array.from(numbers);
      expect(unitVector({ model: 'm', vector })).toBe(vector);
    }
    const nearly = Float32Array.from([1.00001, 0]);
    expect(unitVector({ model: 'm', vector: nearly })).not.toBe(nearly);
  });

  it.each([[[]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY]], [Array(16_385).fill(1)]])(
    'is not made of what is none (%#)',
    (numbers: number[]) => {
      expect(() => unit(...numbers)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    },
  );

  it('may have as many dimensions as are allowed, and one', () => {
    expect(unit(...Array(16_384).fill(1))).toHaveLength(16_384);
    expect([...unit(5)]).toEqual([1]);
  });
});

it.each([1, 2, 3, 4, 5, 7, 8, 9])('the product of %i numbers is their sum, from any place on', (length) => {
  const a = Float32Array.from({ length }, (_, i) => i + 1);
  const b = Float32Array.from({ length: length + 5 }, (_, i) => 2 * i - 3);
  for (const from of [0, 1, 5]) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += a[i]! * b[from + i]!;
    expect(dot(a, b, from)).toBe(sum);
  }
});

it('a cosine stays between -1 and 1, whatever rounding does', () => {
  const vector = Float32Array.from([1.0000001, 0]);
  expect(cosine(vector, vector)).toBe(1);
  expect(cosine(vector, Float32Array.from([-1.0000001, 0]))).toBe(-1);
  expect(cosine(Float32Array.from([1, 0]), Float32Array.from([9, 0.5, 9]), 1)).toBe(0.5);
});

it('bytes give the vector back, wherever they lie in memory, and only one of the right length', () => {
  const vector = Float32Array.from([0.5, -1.25, 3e-20]);
  const blob = toBlob(vector);
  expect(blob).toHaveLength(12);
  for (const shift of [0, 1, 2, 3, 4]) {
    const moved = Buffer.alloc(32).subarray(shift, shift + 12);
    blob.copy(moved);
    expect(fromBlob(moved, 3)).toEqual(vector);
  }
  expect(fromBlob(blob, 2)).toBeUndefined();
  expect(fromBlob(blob, 4)).toBeUndefined();
  expect(toBlob(vector.subarray(1))).toEqual(blob.subarray(4));
});
