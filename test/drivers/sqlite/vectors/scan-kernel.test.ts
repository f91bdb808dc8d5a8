/** The inner loop, assembled by hand, computes what it should; and the bounds it gives are never too low. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot, unitVector } from '../../../../src/drivers/common/vector-math.ts';
import { CodeMemory, ROWS_PER_BLOCK } from '../../../../src/drivers/sqlite/vectors/code-memory.ts';
import { Partition } from '../../../../src/drivers/sqlite/vectors/partition.ts';
import {
  type QuantizedQuery,
  quantize,
  quantizeQuery,
} from '../../../../src/drivers/sqlite/vectors/quantize.ts';
import { canScan } from '../../../../src/drivers/sqlite/vectors/scan-kernel.ts';

const unit = (values: readonly number[]): Float32Array =>
  unitVector({ model: 'test', vector: Float32Array.from(values) });

function scoresOf(rows: readonly Float32Array[], query: Float32Array): Float32Array {
  const memory = new CodeMemory(query.length);
  const partition = new Partition(memory);
  for (const [i, row] of rows.entries()) partition.add(i, i, row);
  const asked = quantizeQuery(query);
  memory.ask(asked);
  return inOrder(memory, partition, asked);
}

/** The scores of a partition by their positions. */
function inOrder(memory: CodeMemory, partition: Partition, query: QuantizedQuery): Float32Array {
  const ranking = memory.ranking();
  partition.score(query, ranking);
  const { places, scores } = ranking.rest(() => true);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const found = new Float32Array(partition.count).fill(Number.NaN);
  places.forEach((place, i) => {
    found[place] = scores[i]!;
  });
  return found;
}

/** The same in plain numbers. */
function expectedScore(row: Float32Array, query: Float32Array): number {
  const codes = new Int8Array(row.length);
  const { scale, margin } = quantize(row, codes);
  const asked = quantizeQuery(query);
  let sum = 0;
  for (let i = 0; i < codes.length; i++) sum += codes[i]! * asked.codes[i]!;
  return sum * scale * asked.factor + margin + asked.slack;
}

const value = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, -1, 1e-6, -1e-6, 1e-30),
);

describe('the scan', () => {
  it('can run here', () => {
    expect(canScan()).toBe(true);
  });

  it('gives for every row an upper bound of its cosine that is hardly above it', () => {
    const cases = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
      fc.array(fc.array(value, { minLength: dimensions, maxLength: dimensions }).map(unit), {
        minLength: 2,
        maxLength: ROWS_PER_BLOCK + 10,
      }),
    );
    fc.assert(
      fc.property(cases, ([query, ...rows]) => {
        const scores = scoresOf(rows, query!);
        rows.forEach((row, i) => {
          expect(scores[i]).toBeCloseTo(expectedScore(row, query!), 5);
          const exact = dot(row, query!);
          expect(scores[i]).toBeGreaterThanOrEqual(exact);
          expect(scores[i]! - exact).toBeLessThan(0.05);
        });
      }),
      { numRuns: 100 },
    );
  });

  it.each([16, 384, 1_000, 1_536, 4_096, 16_384])('does not overflow with %i dimensions', (dimensions) => {
    const flat = unit(new Array<number>(dimensions).fill(1));
    const peak = unit(Array.from({ length: dimensions }, (_, i) => (i === dimensions - 1 ? 1 : 0)));
    const against = flat.map((each) => -each);
    for (const query of [flat, peak]) {
      const rows = [flat, against, peak, new Float32Array(dimensions)];
      const scores = scoresOf(rows, query);
      rows.forEach((row, i) => {
        expect(Math.abs(scores[i]! - dot(row, query))).toBeLessThan(1e-3);
      });
    }
  });
});

describe('a ranking', () => {
  it('gives all scores once, the highest first, however many are asked for at a time', () => {
    // Few different values, so that many are equal; the last rows of a block have scores of rows that went.
    const cases = fc.tuple(
      fc.array(
        fc.constantFrom(0.1, 0.2, 0.5, -0.3, -1).map((x) => unit([x, 1, 0])),
        {
          minLength: 1,
          maxLength: 5 * ROWS_PER_BLOCK,
        },
      ),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 70 }),
    );
    fc.assert(
      fc.property(cases, ([rows, sizes, gone]) => {
        const memory = new CodeMemory(3);
        const partitions = [new Partition(memory), new Partition(memory)];
        for (const [i, row] of rows.entries()) partitions[i % 2]!.add(i, i, row);
        for (let i = 0; i < gone; i++)
          for (const partition of partitions) if (partition.count > 1) partition.remove(0);
        const query = quantizeQuery(unit([-1, 0.5, 0]));
        memory.ask(query);
        const [ranking, whole] = [memory.ranking(), memory.ranking()];
        for (const partition of partitions) partition.score(query, ranking);
        for (const partition of partitions) partition.score(query, whole);
        const expected = whole.rest(() => true);
        const found: number[] = [];
        for (let i = 0; ; i++) {
          const size = sizes[i % sizes.length]!;
          const { places } = ranking.next(size);
          found.push(...places);
          if (places.length === 0) break;
          expect(places.length).toBeGreaterThanOrEqual(
            Math.min(size, expected.places.length - found.length + places.length),
          );
        }
        expect(found).toEqual([...expected.places]);
        expect(expected.places.length).toBe(partitions[0]!.count + partitions[1]!.count);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a partition', () => {
  it('keeps every other row when some are removed, and gives back its memory', () => {
    const memory = new CodeMemory(20);
    const first = memory.take();
    memory.give(first);
    const partition = new Partition(memory);
    const rows = Array.from({ length: 200 }, (_, i) =>
      unit(Array.from({ length: 20 }, (_, d) => Math.sin(i * 20 + d))),
    );
    for (const [i, row] of rows.entries()) partition.add(i, 1_000 + i, row);
    for (let position = 199; position >= 0; position -= 3) partition.remove(position);
    expect(partition.count).toBe(133);
    const query = quantizeQuery(rows[7]!);
    memory.ask(query);
    const scores = inOrder(memory, partition, query);
    const left = new Set<number>();
    for (let position = 0; position < partition.count; position++) {
      const seq = partition.seqAt(position);
      left.add(seq);
      expect(partition.ridAt(position)).toBe(1_000 + seq);
      expect(scores[position]).toBeCloseTo(expectedScore(rows[seq]!, rows[7]!), 5);
    }
    expect([...left].sort((a, b) => a - b)).toEqual(rows.map((_, i) => i).filter((i) => (199 - i) % 3 !== 0));
    partition.clear();
    const blocks = new Set([memory.take(), memory.take(), memory.take(), memory.take()]);
    expect(blocks.has(first)).toBe(true);
  });
});
