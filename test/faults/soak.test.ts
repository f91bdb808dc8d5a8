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
  const ofHandles = ({ name }: { name: string }): boolean => /Handles|log/.test(name);
  // Twenty seconds are too few to tell a cache that fills from memory that is lost.
  expect(grown(samples).filter((growth) => SECONDS > 60 || ofHandles(growth))).toEqual([]);
});
