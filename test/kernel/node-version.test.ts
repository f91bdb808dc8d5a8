/** A Node that is too old is told apart before anything else is loaded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkNode } from '../../src/kernel/node-version.ts';

const root = join(import.meta.dirname, '../..');
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
const least = engines.node.replace('>=', '');

it.each(['18.20.4', '20.19.5', '22.13.1', '23.5.0'])('refuses Node %s in one sentence', (version) => {
  expect(() => checkNode(version)).toThrow(
    `Keepsake needs Node ${least} or newer, and this is Node ${version}.`,
  );
});

it.each([`${least}.0`, '22.20.0', '23.6.0', '24.1.0', '26.0.0-nightly'])('takes Node %s', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

it('is the first that the package imports', () => {
  const [first] = /^(?:import|export) .*$/m.exec(readFileSync(join(root, 'src/index.ts'), 'utf8')) ?? [];
  expect(first).toBe("import './kernel/node-version.ts';");
});
