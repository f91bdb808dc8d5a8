/** Damaged databases and write-ahead logs: what is lost is reported, by the command that meets it or by doctor. */
import { expect, it } from 'vitest';
import { campaign } from '../fixtures/campaign.ts';
import { chooseSeed } from './support/chance.ts';
import { runCorruptions } from './support/corruption-run.ts';

const VARIANTS = campaign(60, 500);

it(`loses nothing in silence in ${VARIANTS} damaged workspaces`, { timeout: 280_000 }, async () => {
  const seed = chooseSeed();
  const { silent, ...counts } = await runCorruptions({ variants: VARIANTS, seed });
  console.log(`corruption: seed ${seed}, ${JSON.stringify(counts)}`);
  expect(silent).toEqual([]);
  expect(counts.variants).toBe(VARIANTS);
  expect(counts.refused).toBeGreaterThan(VARIANTS / 5);
});
