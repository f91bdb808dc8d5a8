/** Every system call of a scenario fails once: `node scripts/system-calls.ts [--most 50] [--only export,backup] [--seed 7]`. */
import { parseArgs } from 'node:util';
import { chooseSeed, createChance } from '../test/faults/support/chance.ts';
import { runSystemCalls } from '../test/faults/support/system-call-run.ts';

const { values } = parseArgs({
  options: { most: { type: 'string' }, only: { type: 'string' }, seed: { type: 'string' } },
});
const seed = chooseSeed(values.seed);
const { violations, ...counts } = await runSystemCalls({
  random: createChance(seed),
  ...(values.most === undefined ? {} : { most: Number(values.most) }),
  ...(values.only === undefined ? {} : { only: values.only.split(',') }),
  onProgress: (name, { faults, violations: found }) =>
    console.log(`${name}: ${faults} faults so far, ${found.length} violations`),
});
for (const violation of violations) console.error(`VIOLATION: ${violation}`);
console.log(JSON.stringify({ seed, ...counts, violations: violations.length }));
process.exitCode = violations.length === 0 ? 0 : 1;
