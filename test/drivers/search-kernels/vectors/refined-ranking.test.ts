/** A ranking that is refined on the way gives what sorting by the finer bounds would give. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RefinedRanking } from '../../../../src/drivers/search-kernels/vectors/refined-ranking.ts';
import { ScoreRanking } from '../../../../src/drivers/search-kernels/vectors/score-ranking.ts';

const GROUP = 8;

interface Row {
  readonly rough: number;
  readonly fine: number;
}

function rankingOf(rows: readonly Row[], looked: number[] = []): RefinedRanking {
  const scores = Float32Array.from(rows, ({ rough }) => rough);
  const ranking = new ScoreRanking();
  for (let start = 0; start < rows.length; start += GROUP) {
    const group = scores.subarray(start, start + GROUP);
    ranking.add(scores, start, group.length, Math.max(...group));
  }
  return new RefinedRanking(ranking, (place) => {
    looked.push(place);
    return rows[place]!.fine;
  });
}

/** Eighths, so that many are equal and none is rounded. A finer bound is mostly lower, and counts only when it is. */
const rows = fc.array(
  fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -1, max: 6 })).map(([rough, less]) => ({
    rough: rough / 8,
    fine: (rough - less) / 8,
  })),
  { minLength: 1, maxLength: 6 * GROUP },
);
const bound = ({ rough, fine }: Row): number => Math.min(rough, fine);

it('all are given once, and what comes later is never higher', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 5 }), (all, size, times) => {
      const ranking = rankingOf(all);
      const places: number[] = [];
      const scores: number[] = [];
      const accept = (place: number) => place % 3 > 0;
      for (let i = 0; ; i++) {
        const ranked = i < times ? ranking.next(size) : ranking.rest(accept);
        places.push(...ranked.places);
        scores.push(...ranked.scores);
        if (i >= times) break;
      }
      expect(scores).toEqual(places.map((place) => bound(all[place]!)));
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(new Set(places).size).toBe(places.length);
      const wanted = all.map((_, place) => place).filter(accept);
      expect(places.filter(accept).sort((a, b) => a - b)).toEqual(wanted);
    }),
  );
});

it('only what could be wanted is looked at closely', () => {
  const all = Array.from({ length: 1_000 }, (_, i) => ({ rough: 1 - i / 1_000, fine: 0.9 - i / 1_000 }));
  const looked: number[] = [];
  expect(rankingOf(all, looked).next(200).places[0]).toBe(0);
  expect(looked.length).toBe(200);
});
