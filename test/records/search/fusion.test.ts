/** From words and meaning to one relevance: order, bounds, and what it takes to convince. */
import { describe, expect, it } from 'vitest';
import { type Calibration, fuse as fuseColumns, semantic } from '../../../src/records/search/fusion.ts';
import { seededRandom } from '../../../src/testing/index.ts';

const SCALE = { unrelated: 0.2, same: 0.7 };
const evidence = (text: number, similarity: number | null, coverage: number) => ({
  text,
  similarity,
  coverage,
});

function fuse(
  entries: readonly ReturnType<typeof evidence>[],
  calibration: Calibration,
  full: number,
): number[] {
  const columns = {
    text: Float64Array.from(entries, ({ text }) => text),
    similarity: Float64Array.from(entries, ({ similarity }) => similarity ?? Number.NaN),
    coverage: Float64Array.from(entries, ({ coverage }) => coverage),
  };
  return [...fuseColumns(columns, calibration, full)];
}

describe('semantic', () => {
  it.each([
    [0.2, 0],
    [0.7, 1],
    [0.45, 0.5],
    [-1, 0],
    [1, 1],
  ])('reads a cosine of %d as %d', (similarity, meaning) => {
    expect(semantic(similarity, SCALE)).toBeCloseTo(meaning, 12);
  });
});

describe('fuse', () => {
  it('gives 1 to a full match in words, and to one of the same meaning', () => {
    expect(fuse([evidence(10, null, 1)], SCALE, 10)).toEqual([1]);
    expect(fuse([evidence(0, 0.7, 0)], SCALE, 10)).toEqual([1]);
  });

  it('gives nothing to what neither words nor meaning speak for', () => {
    expect(fuse([evidence(0, null, 0), evidence(0, 0.2, 0), evidence(0, -0.5, 0)], SCALE, 10)).toEqual([
      0, 0, 0,
    ]);
    expect(fuse([], SCALE, 10)).toEqual([]);
    expect(fuse([evidence(0, null, 0)], SCALE, 0)).toEqual([0]);
  });

  it('puts both together above one of them alone', () => {
    const [both, words, meaning] = fuse(
      [evidence(10, 0.6, 1), evidence(10, 0.1, 1), evidence(0, 0.6, 0)],
      SCALE,
      10,
    ) as [number, number, number];
    expect(both).toBeGreaterThan(words);
    expect(words).toBeGreaterThan(meaning);
    expect(meaning).toBeGreaterThan(0);
  });

  it('does not let a strong best lift what has no evidence of its own', () => {
    const [best, other] = fuse([evidence(10, 0.7, 1), evidence(0, 0.21, 0)], SCALE, 10) as [number, number];
    expect(best).toBe(1);
    expect(other).toBeLessThan(0.05);
  });

  it('does not take the best of a bad lot for a good one', () => {
    const [half] = fuse([evidence(2, 0.1, 0.2)], SCALE, 10) as [number];
    expect(half).toBeLessThanOrEqual(0.2);
  });

  it('takes a long text that holds the whole question for an answer, however small its share is', () => {
    const [, whole, half] = fuse(
      [evidence(10, 0.1, 1), evidence(0.1, 0.1, 1), evidence(0.1, 0.1, 0.5)],
      SCALE,
      10,
    ) as [number, number, number];
    expect(whole).toBeGreaterThanOrEqual(0.3);
    expect(half).toBeLessThan(0.1);
  });

  it('lets a borrowed word alone count for little', () => {
    const [borrowed] = fuse([evidence(1, null, 0)], SCALE, 10) as [number];
    expect(borrowed).toBe(0);
    const [, beside] = fuse([evidence(10, 0.1, 1), evidence(1, 0.1, 0)], SCALE, 10) as [number, number];
    expect(beside).toBeCloseTo(0.1, 12);
  });

  it('lets words count for more where no vector says anything, and keeps their order', () => {
    const entries = (similarity: number | null) =>
      [1, 0.5, 0.4, 0.1].map((share) => evidence(10 * share, similarity, share / 3));
    const both = fuse(entries(0.1), SCALE, 20);
    const words = fuse(entries(null), SCALE, 20);
    expect(both.at(-1)).toBeLessThan(0.1);
    expect(words.at(-1)).toBeGreaterThan(0.1);
    expect(words).toEqual(words.toSorted((a, b) => b - a));
    expect(fuse([evidence(10, null, 1)], SCALE, 10)).toEqual([1]);
  });

  it('stays between 0 and 1 and keeps the order of evidence, whatever comes in', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 200; round++) {
      const entries = Array.from({ length: 1 + random.below(8) }, () =>
        evidence(random.next() * 20, random.below(3) === 0 ? null : random.next() * 2 - 1, random.next()),
      );
      const relevances = fuse(entries, SCALE, random.next() * 20);
      for (const relevance of relevances) {
        expect(relevance).toBeGreaterThanOrEqual(0);
        expect(relevance).toBeLessThanOrEqual(1);
      }
      entries.forEach((a, i) => {
        entries.forEach((b, j) => {
          const dominates =
            a.text >= b.text && a.coverage >= b.coverage && (a.similarity ?? -1) >= (b.similarity ?? -1);
          if (dominates) expect(relevances[i]).toBeGreaterThanOrEqual(relevances[j]! - 1e-12);
        });
      });
    }
  });
});
