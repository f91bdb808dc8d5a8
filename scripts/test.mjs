// "npm test": sets everything up, runs every group of tests, and ends with one line that counts them.
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './setup/build.mjs';
import { ensureFrameworks, ensureInstalled } from './setup/install.mjs';
import { ensurePgvector } from './setup/pgvector.mjs';
import { explain, requireNode, root, runForeground } from './setup/run.mjs';
import { tally } from './setup/tally.mjs';
import { useTestFolder } from './setup/test-folder.mjs';
import { ensureTools } from './setup/tools.mjs';

const filters = process.argv.slice(2);

async function test() {
  ensureInstalled();
  ensureFrameworks();
  ensureTools();
  await ensurePgvector();
  ensureBuilt();

  const removeFolder = useTestFolder(process.env);
  const file = join(tmpdir(), 'report.json');
  process.env.VITEST_TALLY_FILE = file;
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const reporter = join(root, 'scripts/setup/vitest-reporter.mjs');
    const args = [vitest, 'run', '--reporter=default', `--reporter=${reporter}`, ...filters];
    const exitCode = await runForeground(requireNode(), args);
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    // Someone who names files does not expect the other groups to run.
    return tally(report, exitCode, { everyProject: filters.length === 0 });
  } finally {
    removeFolder();
  }
}

let result;
try {
  result = await test();
} catch (error) {
  explain(error);
  result = { passed: 0, failed: 1, notes: ['The tests could not be started.'] };
}
for (const note of result.notes) process.stdout.write(`${note}\n`);
process.stdout.write(`${result.passed} passed, ${result.failed} failed\n`);
process.exitCode = result.failed === 0 ? 0 : 1;
