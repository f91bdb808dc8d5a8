/** The pauses between attempts: they grow, differ by chance, and give way to what the server asks for. */
import { expect, it } from 'vitest';
import { pauseAfter } from '../../../src/models/language/retrying.ts';

const passing = { again: true };
const options = (random: number) => ({ retries: 20, backoffMs: 500, random: () => random });

it.each([
  [0, 0, 250],
  [0, 1, 500],
  [1, 1, 1000],
  [3, 0.5, 3000],
  [12, 1, 60_000],
])('after %d failures and with chance at %d: %d ms', (failures, random, pause) => {
  expect(pauseAfter(passing, failures, options(random))).toBe(pause);
});

it('the server knows better, up to a minute', () => {
  expect(pauseAfter({ again: true, waitMs: 0 }, 5, options(1))).toBe(0);
  expect(pauseAfter({ again: true, waitMs: 60_000 }, 0, options(1))).toBe(60_000);
  expect(pauseAfter({ again: true, waitMs: 60_001 }, 0, options(1))).toBeUndefined();
});

it('there is none when nothing is left to try', () => {
  expect(pauseAfter(passing, 20, options(1))).toBeUndefined();
  expect(pauseAfter({ again: false }, 0, options(1))).toBeUndefined();
});
