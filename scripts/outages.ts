/** The fault campaign of several servers: `npm run test:outages`. Writes its result into docs/guides/when-something-fails.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runOutages } from '../test/faults/support/outages.ts';
import { ensureBuilt } from './setup/build.mjs';

const PAGE = join(import.meta.dirname, '../docs/guides/when-something-fails.md');
const RESULT = /(<!-- outages -->).*?(<!-- end -->)/s;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
});
ensureBuilt();
const { violations, ...result } = await runOutages({
  faultMs: Number(values.seconds) * 1_000,
  rounds: Number(values.rounds),
  onProgress: (text) => console.log(text),
});
for (const violation of violations) console.error(`VIOLATION: ${violation}`);
const answers = Object.entries(result.answers).map(([status, count]) =>
  status === '0' ? `none ${count}` : `${status} ${count}`,
);
const table = [
  '| faults | seconds | acknowledged memories | entries of a run | events, in order | answers to writes | violations |',
  '|---:|---:|---:|---:|---:|---|---:|',
  `| ${result.faults.length} | ${result.seconds} | ${result.memories} | ${result.entries} | ${result.events} | ${answers.join(', ')} | ${violations.length} |`,
].join('\n');
console.log(table);
const page = readFileSync(PAGE, 'utf8');
if (!RESULT.test(page)) throw new Error(`${PAGE} has no place for the result.`);
writeFileSync(
  PAGE,
  page.replace(RESULT, (_, begin: string, end: string) => `${begin}\n\n${table}\n\n${end}`),
);
process.exitCode = violations.length === 0 ? 0 : 1;
