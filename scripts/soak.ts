/** The soak: `node scripts/soak.ts --minutes 30`. A server and an MCP process at work; exits with 1 when something grows. */
import { parseArgs } from 'node:util';
import { grown, growthOf, runSoak } from '../test/faults/support/soak-run.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');

const { samples, failures, ...counts } = await runSoak({
  seconds: minutes * 60,
  onProgress: (sample) => console.log(JSON.stringify(sample)),
});
for (const failure of failures) console.error(`FAILED: ${failure}`);
const growing = grown(samples);
for (const { name, early, late } of growing) console.error(`GROWS: ${name} from ${early} to ${late}`);
console.log(JSON.stringify({ minutes, ...counts, failures: failures.length, growth: growthOf(samples) }));
process.exitCode = failures.length + growing.length === 0 ? 0 : 1;
