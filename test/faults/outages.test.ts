/** The short version of `npm run test:outages`: every fault once, for a moment. */
import { expect, it } from 'vitest';
import { runOutages } from './support/outages.ts';

it('loses nothing and hides nothing while servers, Postgres and Redis fail in turn', async ({ signal }) => {
  const { violations, faults, memories, entries } = await runOutages({ faultMs: 1_500, rounds: 1, signal });
  expect(violations).toEqual([]);
  expect(faults).toHaveLength(7);
  expect(memories).toBeGreaterThan(20);
  expect(entries).toBeGreaterThan(5);
}, 600_000);
