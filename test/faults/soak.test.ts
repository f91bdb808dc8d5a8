/** A server and an MCP process that work for a while do not grow: memory, file handles, write-ahead log. */
import { expect, it } from 'vitest';
import { campaign } from '../fixtures/campaign.ts';
import { grown, growthOf, runSoak } from './support/soak-run.ts';

const SECONDS = campaign(20, 30 * 60);

it(`does not grow in ${SECONDS} seconds`, { timeout: (SECONDS + 120) * 1_000 }, async () => {
  const { samples, failures, ...counts } = await runSoak({ seconds: SECONDS });
  console.log(`soak: ${JSON.stringify({ ...counts, growth: growthOf(samples) })}`);
  expect(failures).toEqual([]);
  expect(counts.rounds).toBeGreaterThan(SECONDS);
  expect(samples.length).toBeGreaterThan(20);
  // Twenty seconds are too few for caches to fill: of memory, only what was held twice over would be a leak.
  const growing = grown(samples).filter(
    ({ name, early, late }) =>
      SECONDS > 60 || !/Live|Memory/.test(name) || (name.endsWith('Live') && late > 2 * early),
  );
  expect(growing).toEqual([]);
});
