/** The security guide names the test of each promise: every test, command and setting that it names exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/security.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

it('names only files and commands that exist', () => {
  const files = [...guide.matchAll(/(?<![\w/-])(?:test|src|scripts)\/[\w./-]+/g)].map(([path]) =>
    path.replace(/\.$/, ''),
  );
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const commands = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it('names a test for each promise', () => {
  const [, table = ''] = /## Promises and their tests\n+([\s\S]*?)\n\n/.exec(guide) ?? [];
  const rows = table.split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(row.split('|').at(-2), row).toMatch(/`test\/|`src\/testing\//);
});
