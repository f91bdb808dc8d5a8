/** Writers in four processes are killed with -9 at random moments: nothing that was acknowledged is ever lost. */
import { expect, it } from 'vitest';
import { campaign } from '../fixtures/campaign.ts';
import { chooseSeed } from './support/chance.ts';
import { runCrashes } from './support/crash-run.ts';

const KILLS = campaign(200, 1_000);

it(`loses nothing in ${KILLS} kills`, { timeout: campaign(280_000, 1_400_000) }, async () => {
  const seed = chooseSeed();
  const { violations, ...counts } = await runCrashes({ kills: KILLS, seed, writers: 4 });
  console.log(`crash: seed ${seed}, ${JSON.stringify(counts)}`);
  expect(violations).toEqual([]);
  expect(counts.kills).toBeGreaterThanOrEqual(KILLS);
  expect(counts.duringOpen).toBeGreaterThan(0);
  expect(counts.duringClose).toBeGreaterThan(0);
  expect(counts.acknowledged).toBeGreaterThan(KILLS);
  expect(counts.verified).toBeGreaterThanOrEqual(counts.acknowledged);
});
