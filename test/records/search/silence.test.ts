/** How much the best hit must tell before anything is told. */
import { expect, it } from 'vitest';
import { leastBest } from '../../../src/records/search/silence.ts';

it('the more is stored, the more; up to a thousand records', () => {
  expect([0, 1].map((population) => leastBest(population, false))).toEqual([0.1, 0.1]);
  expect(leastBest(1_000, false)).toBeCloseTo(0.3, 10);
  expect(leastBest(1_000_000, false)).toBeCloseTo(0.3, 10);
  expect(leastBest(50, false)).toBeCloseTo(0.1 + (0.2 * Math.log(50)) / Math.log(1_000), 10);
});

it('a remark shares little with what it goes on with', () => {
  for (const population of [1, 50, 1_000_000]) expect(leastBest(population, true)).toBe(0.1);
});
