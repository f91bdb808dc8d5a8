/** The long run of the crash proof: `node scripts/crash.ts --kills 10000 --seed 7`. Without a seed it draws one. */
import { parseArgs } from 'node:util';
import { chooseSeed } from '../test/faults/support/chance.ts';
import { runCrashes } from '../test/faults/support/crash-run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    writers: { type: 'string', default: '4' },
  },
});

function positive(name: 'kills' | 'writers'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new Error(`--${name} must be a whole number above 0.`);
}

const kills = positive('kills');
const writers = positive('writers');
const seed = chooseSeed(values.seed);
const started = performance.now();
console.log(`${kills} kills of ${writers} writers, seed ${seed}`);

const { violations, ...counts } = await runCrashes({
  kills,
  seed,
  writers,
  onProgress: (so) => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    console.log(`${seconds} s: ${so.kills} kills, ${so.acknowledged} acknowledged, ${so.verified} verified`);
  },
});

for (const violation of violations) console.error(`VIOLATION: ${violation}`);
console.log(JSON.stringify({ seed, ...counts, violations: violations.length }));
process.exitCode = violations.length === 0 && counts.kills >= kills ? 0 : 1;
