/** Keepsake where a user's program runs it: in tests with Vitest, and in a function with one writable folder. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withoutRoot } from '../../surfaces/cli/support/run-cli.ts';
import { FOUND, makeApp, PROGRAM } from './app.ts';

const root = join(import.meta.dirname, '../../..');

function app(program?: string) {
  const made = makeApp(program);
  onTestFinished(() => made.remove());
  chmodSync(made.folder, 0o755);
  return made;
}

it('in a test of a user that Vitest runs, also several files at once', () => {
  const { folder } = app();
  const test = (name: string) => `import { createClient } from 'keepsake';
import { expect, it } from 'vitest';
it('remembers', async () => {
  const client = createClient({ workspace: ${JSON.stringify(join(folder, 'workspaces', name))} });
  const { memory } = client.agent({ name: 'assistant' });
  await memory.add({ content: 'The dog of Ada is called Bell.' });
  const [found] = await memory.search('What is the name of her pet?');
  expect(found.content).toContain('Bell');
  await client.close();
});
`;
  for (const name of ['one', 'two', 'three']) writeFileSync(join(folder, `${name}.test.mjs`), test(name));
  const modules = join(folder, 'node_modules');
  // As installed beside it; a link to the one of this repository.
  spawnSync('ln', ['-s', join(root, 'node_modules/vitest'), join(modules, 'vitest')]);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      join(modules, 'vitest/vitest.mjs'),
      'run',
      '--root',
      folder,
      '--reporter=json',
      '--outputFile=result.json',
    ],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } },
  );
  expect(status, stderr).toBe(0);
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
  expect(result).toMatchObject({ numPassedTests: 3, numTotalTests: 3 });
});

it('in a function that may write to one folder only, without a home', () => {
  const { folder, entry } = app(PROGRAM);
  const writable = mkdtempSync(join(tmpdir(), 'keepsake-function-'));
  onTestFinished(() => rmSync(writable, { recursive: true, force: true }));
  chmodSync(writable, 0o777);
  const workspace = join(writable, 'workspace');
  const [command, ...args] = [...withoutRoot, process.execPath, entry];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: writable, WORKSPACE: workspace };
  const start = () => spawnSync(command!, args, { cwd: folder, encoding: 'utf8', env });
  const { status, stdout, stderr } = start();
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual(FOUND);
  // A second start of the function finds what the first one stored.
  expect(JSON.parse(start().stdout)).toEqual(FOUND);
});
