/** A system call fails while Keepsake writes documents, files, keys, settings, exports and backups: it is refused or done, and nothing is lost. */
import { expect, it } from 'vitest';
import { campaign } from '../fixtures/campaign.ts';
import { chooseSeed, createChance } from './support/chance.ts';
import { runSystemCalls } from './support/system-call-run.ts';
import { SCENARIOS } from './support/system-call-scenarios.ts';

const MOST = campaign(3, Number.POSITIVE_INFINITY);

it('holds for every scenario', async () => {
  const seed = chooseSeed();
  const random = createChance(seed);
  const { violations, ...counts } = await runSystemCalls({ random, most: MOST });
  console.log(`system calls: seed ${seed}, ${JSON.stringify(counts)}`);
  expect(violations).toEqual([]);
  expect(counts.faults).toBeGreaterThanOrEqual(2 * SCENARIOS.length);
  // Threads of Node share the calls: one may not come up again in the same order.
  expect(counts.injected).toBeGreaterThan(0.8 * counts.faults);
  expect(counts.refused).toBeGreaterThan(0);
});
