/** Rows are looked at in the order of their bounds, and the answer is that of looking at all of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byRank } from '../../../../src/drivers/search-kernels/vectors/hits.ts';
import { nearest } from '../../../../src/drivers/search-kernels/vectors/nearest.ts';
import { RefinedRanking } from '../../../../src/drivers/search-kernels/vectors/refined-ranking.ts';
import { ScoreRanking } from '../../../../src/drivers/search-kernels/vectors/score-ranking.ts';

const GROUP = 64;

interface Row {
  readonly similarity: number;
  /** How far two bounds are above it. */
  readonly fine: number;
  readonly rough: number;
  readonly isAllowed: boolean;
  readonly isGone: boolean;
}

function search(rows: readonly Row[], limit: number, isRefined: boolean) {
  const scores = Float32Array.from(rows, ({ similarity, fine, rough }) => similarity + fine + rough);
  const ranking = new ScoreRanking(rows.length);
  for (let start = 0; start < rows.length; start += GROUP) {
    const group = scores.subarray(start, start + GROUP);
    ranking.add(scores, start, group.length, Math.max(...group));
  }
  const fine = (place: number) => rows[place]!.similarity + rows[place]!.fine;
  const rescored: number[] = [];
  const found = nearest(isRefined ? new RefinedRanking(ranking, fine) : ranking, {
    rescore: (place) => {
      rescored.push(place);
      return rows[place]!.isGone ? undefined : { rid: place, similarity: rows[place]!.similarity };
    },
    allows: (rid) => rows[rid]!.isAllowed,
    allowing: () => (place) => rows[place]!.isAllowed,
    limit,
  });
  return { found, rescored };
}

/** Sixty-fourths, so that many are equal and none is rounded. */
const sixtyFourths = (most: number) => fc.integer({ min: 0, max: most }).map((value) => value / 64);
const rowsWhere = (allowed: number) =>
  fc.array(
    fc.record({
      similarity: sixtyFourths(64),
      fine: sixtyFourths(3),
      rough: sixtyFourths(12),
      isAllowed: fc.nat(99).map((value) => value < allowed),
      isGone: fc.nat(99).map((value) => value < 2),
    }),
    { minLength: 1, maxLength: 1_500, size: 'max' },
  );

it.each([100, 60, 3])(
  'the answer is that of comparing all rows, of which a filter allows %i of 100',
  (allowed) => {
    fc.assert(
      fc.property(
        rowsWhere(allowed),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        (rows, limit, isRefined) => {
          const { found, rescored } = search(rows, limit, isRefined);
          const all = rows.flatMap(({ similarity, isAllowed, isGone }, rid) =>
            isAllowed && !isGone ? [{ rid, similarity }] : [],
          );
          expect(found).toEqual(all.sort(byRank).slice(0, limit));
          expect(new Set(rescored).size).toBe(rescored.length);
        },
      ),
      { numRuns: 60 },
    );
  },
);

it('after a first batch, only rows that can still be among the best are looked at', () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({
    ...{ similarity: i < 9_840 ? 0.1 : 0.5 + i / 100_000, fine: 0, rough: 0.3 },
    ...{ isAllowed: true, isGone: false },
  }));
  expect(search(rows, 40, true).rescored.length).toBeLessThan(200);
  expect(search(rows, 40, false).rescored.length).toBeLessThan(200);
});
