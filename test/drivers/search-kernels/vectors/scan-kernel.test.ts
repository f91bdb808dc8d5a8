/** The inner loops, assembled by hand, compute what they should; and the bounds they give are never too low. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitVector } from '../../../../src/drivers/common/vector-math.ts';
import { ROWS_PER_BLOCK } from '../../../../src/drivers/search-kernels/vectors/block-layout.ts';
import { CodeMemory } from '../../../../src/drivers/search-kernels/vectors/code-memory.ts';
import { dot } from '../../../../src/drivers/search-kernels/vectors/dot.ts';
import { Partition } from '../../../../src/drivers/search-kernels/vectors/partition.ts';
import {
  quantize,
  roundQuery,
  SMALL_QUERY,
  WIDE_QUERY,
} from '../../../../src/drivers/search-kernels/vectors/quantize.ts';
import { QuantizedQuery } from '../../../../src/drivers/search-kernels/vectors/quantized-query.ts';
import { canScan, canScanQuickly } from '../../../../src/drivers/search-kernels/vectors/scan-kernel.ts';
import { ScoreRanking } from '../../../../src/drivers/search-kernels/vectors/score-ranking.ts';

const unit = (values: readonly number[]): Float32Array =>
  unitVector({ model: 'test', vector: Float32Array.from(values) });

interface Bounds {
  /** By position. */
  readonly scores: Float32Array;
  readonly refined: readonly number[];
  readonly isRough: boolean;
}

function boundsOf(rows: readonly Float32Array[], query: Float32Array, isQuick: boolean): Bounds {
  const memory = new CodeMemory(query.length, isQuick);
  const partition = new Partition(memory);
  for (const [i, row] of rows.entries()) partition.add(i, i, row);
  return bounds(memory, partition, query);
}

function bounds(memory: CodeMemory, partition: Partition, query: Float32Array): Bounds {
  const quantized = new QuantizedQuery(memory, query);
  const ranking = new ScoreRanking();
  partition.score(quantized, ranking);
  const ranked = ranking.rest(() => true);
  expect(ranked.scores).toEqual(ranked.scores.toSorted((a, b) => b - a));
  const scores = new Float32Array(partition.count).fill(Number.NaN);
  ranked.places.forEach((place, i) => {
    scores[place] = ranked.scores[i]!;
  });
  const refined = Array.from(scores, (_, position) => partition.bound(quantized, position));
  return { scores, refined, isRough: quantized.isRough };
}

/** The same in plain numbers. */
function expectedScore(row: Float32Array, query: Float32Array, isRough: boolean): number {
  const codes = new Int8Array(row.length);
  const { scale, margin } = quantize(row, codes);
  const asked = roundQuery(query, isRough ? SMALL_QUERY : WIDE_QUERY);
  let sum = 0;
  for (let i = 0; i < codes.length; i++) sum += codes[i]! * asked.codes[i]!;
  return sum * scale * asked.factor + margin * asked.stretch + asked.slack;
}

const value = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(0, 1, -1, 1e-6, -1e-6, 1e-30),
);

it('both scans can run here', () => {
  expect(canScan()).toBe(true);
  expect(canScanQuickly()).toBe(true);
});

describe.each([{ isQuick: true }, { isQuick: false }])('the scan, quick: $isQuick', ({ isQuick }) => {
  it('gives for every row an upper bound of its cosine that is hardly above it', () => {
    let rough = 0;
    const cases = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
      fc.array(fc.array(value, { minLength: dimensions, maxLength: dimensions }).map(unit), {
        minLength: 2,
        maxLength: ROWS_PER_BLOCK + 10,
      }),
    );
    fc.assert(
      fc.property(cases, ([query, ...rows]) => {
        const { scores, refined, isRough } = boundsOf(rows, query!, isQuick);
        if (isRough) rough++;
        rows.forEach((row, i) => {
          expect(scores[i]).toBeCloseTo(expectedScore(row, query!, isRough), 5);
          expect(refined[i]).toBeCloseTo(expectedScore(row, query!, false), 5);
          const exact = dot(row, query!);
          expect(scores[i]).toBeGreaterThanOrEqual(exact);
          expect(refined[i]).toBeGreaterThanOrEqual(exact);
          expect(scores[i]! - exact).toBeLessThan(isRough ? 0.15 : 0.05);
          expect(refined[i]! - exact).toBeLessThan(0.05);
        });
      }),
      { numRuns: 100 },
    );
    expect(rough > 0).toBe(isQuick);
  });

  it.each([1, 15, 16, 17, 31, 33, 384, 1_000, 1_536, 4_096, 16_384])(
    'does not overflow with %i dimensions',
    (dimensions) => {
      const flat = unit(new Array<number>(dimensions).fill(1));
      const peak = unit(Array.from({ length: dimensions }, (_, i) => (i === dimensions - 1 ? 1 : 0)));
      const against = flat.map((each) => -each);
      const inTurn = unit(Array.from({ length: dimensions }, (_, i) => (i % 2 === 0 ? 1 : -1)));
      for (const query of [flat, against, peak, inTurn, new Float32Array(dimensions)]) {
        const rows = [flat, against, peak, inTurn, new Float32Array(dimensions)];
        const { scores, refined } = boundsOf(rows, query, isQuick);
        rows.forEach((row, i) => {
          expect(Math.abs(scores[i]! - dot(row, query))).toBeLessThan(1e-3);
          expect(Math.abs(refined[i]! - dot(row, query))).toBeLessThan(1e-3);
        });
      }
    },
  );

  it('takes every byte for a code, also the one that rounding never gives', () => {
    const dimensions = 48;
    const rows = [-128, -127, 127, 0].map((code) => new Int8Array(dimensions).fill(code));
    for (const sign of [1, -1]) {
      const query = unit(new Array<number>(dimensions).fill(sign));
      const memory = new CodeMemory(dimensions, isQuick);
      const partition = new Partition(memory);
      const [seqs, rids] = [Float64Array.of(1, 2, 3, 4), Float64Array.of(1, 2, 3, 4)];
      const scales = new Float32Array(4).fill(1 / 1_024);
      const codes = Int8Array.from(rows.flatMap((row) => [...row]));
      partition.addPacked({ seqs, rids, scales, margins: new Float32Array(4), codes }, new Set());
      const { scores, refined } = bounds(memory, partition, query);
      rows.forEach((row, i) => {
        const right = dot(Float32Array.from(row), query) / 1_024;
        expect(scores[i]).toBeCloseTo(right, 4);
        expect(refined[i]).toBeCloseTo(right, 4);
      });
    }
  });
});

it('a query with one number that is much larger than the others is not scanned with 7 bits', () => {
  const query = unit(Array.from({ length: 256 }, (_, i) => (i === 0 ? 10 : Math.sin(i))));
  expect(boundsOf([query], query, true).isRough).toBe(false);
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
        const quantized = new QuantizedQuery(memory, unit([-1, 0.5, 0]));
        const [ranking, whole] = [new ScoreRanking(), new ScoreRanking()];
        for (const partition of partitions) partition.score(quantized, ranking);
        for (const partition of partitions) partition.score(quantized, whole);
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
    const { scores, isRough } = bounds(memory, partition, rows[7]!);
    const left = new Set<number>();
    for (let position = 0; position < partition.count; position++) {
      const seq = partition.seqAt(position);
      left.add(seq);
      expect(partition.ridAt(position)).toBe(1_000 + seq);
      expect(scores[position]).toBeCloseTo(expectedScore(rows[seq]!, rows[7]!, isRough), 5);
    }
    expect([...left].sort((a, b) => a - b)).toEqual(rows.map((_, i) => i).filter((i) => (199 - i) % 3 !== 0));
    partition.clear();
    const blocks = new Set([memory.take(), memory.take(), memory.take(), memory.take()]);
    expect(blocks.has(first)).toBe(true);
  });
});
