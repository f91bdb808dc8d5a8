// "npm run test:campaign": the tests that take only a few of their cases in "npm test" take all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode, root, runForeground } from './setup/run.mjs';

const named = process.argv.slice(2);

/** Every test that asks how many cases to take. */
function campaigns() {
  return readdirSync(join(root, 'test'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((name) =>
      /fixtures\/campaign\.ts|support\/thinned-writes\.ts/.test(readFileSync(join(root, name), 'utf8')),
    );
}

process.env.KEEPSAKE_CAMPAIGN = '1';
const files = named.length > 0 ? named : campaigns();
process.exitCode = await runForeground(requireNode(), [
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  ...files,
]);
