/** Compiles this folder against the frameworks as they are installed, because the rest of the repository does without them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('keeps what adapters return assignable to the types of the real packages', () => {
  const root = join(import.meta.dirname, '../..');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', import.meta.dirname], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
