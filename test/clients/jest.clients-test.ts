/** Keepsake in a test of a user that Jest runs, with import and with require. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeApp } from '../e2e/bundlers/app.ts';
import { clientsFolder } from './support/machine.ts';

it('jest runs tests that import Keepsake, and tests that require it', () => {
  const app = makeApp();
  onTestFinished(() => app.remove());
  const test = (load: string, workspace: string) => `${load}
test('remembers', async () => {
  const client = createClient({ workspace: ${JSON.stringify(join(app.folder, workspace))} });
  const { memory } = client.agent({ name: 'assistant' });
  await memory.add({ content: 'The dog of Ada is called Bell.' });
  const [found] = await memory.search('What is the name of her pet?');
  expect(found.content).toContain('Bell');
  await client.close();
});
`;
  writeFileSync(join(app.folder, 'a.test.mjs'), test("import { createClient } from 'keepsake';", 'one'));
  writeFileSync(join(app.folder, 'b.test.cjs'), test("const { createClient } = require('keepsake');", 'two'));
  const jest = join(clientsFolder, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--rootDir', app.folder, '--testMatch', '**/*.test.{mjs,cjs}'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: app.folder, encoding: 'utf8' },
    env: { PATH: process.env.PATH, HOME: app.folder, NODE_OPTIONS: '--experimental-vm-modules' },
  });
  expect(stderr).toMatch(/Tests:\s+2 passed, 2 total/);
  expect(status).toBe(0);
});
