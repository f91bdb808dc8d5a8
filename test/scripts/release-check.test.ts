/** The check before a release: a foreign name, a wrong version, missing and private files stop it. */
import { expect, it } from 'vitest';
import { problemsOf } from '../../scripts/release-check.mjs';

const FILES = [
  ...['package.json', 'README.md', 'LICENSE', 'bin/keepsake.js', 'dist/bundle/main.cjs', 'dist/sdk/index.js'],
  ...['dist/index.d.ts', 'schema/keepsake.schema.json', 'integrations/claude-code/launcher/keepsake.cjs'],
  ...['integrations/claude-code/hooks/hooks.json', '.claude-plugin/marketplace.json'],
];
const GOOD = {
  manifest: { name: 'keepsake', version: '1.0.0', repository: 'github:a/b' },
  versions: { 'plugin.json': '1.0.0' },
  files: FILES,
  registry: { status: 404 },
  owner: 'us',
  env: { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci' },
};

it('lets a complete release of a free or own name pass', () => {
  expect(problemsOf(GOOD)).toEqual([]);
  expect(problemsOf({ ...GOOD, registry: { status: 200, owners: ['us'], versions: ['0.9.0'] } })).toEqual([]);
});

it.each([
  [
    'a name that others own',
    { registry: { status: 200, owners: ['them'], versions: [] } },
    'published by them',
  ],
  [
    'a version that exists',
    { registry: { status: 200, owners: ['us'], versions: ['1.0.0'] } },
    'published already',
  ],
  ['a registry that does not answer', { registry: undefined }, 'did not answer'],
  ['a plugin of another version', { versions: { 'plugin.json': '0.9.0' } }, 'plugin.json has version 0.9.0'],
  [
    'a package without its launcher',
    { files: FILES.filter((file) => !file.includes('launcher')) },
    'launcher/keepsake.cjs would be missing',
  ],
  [
    'a database in the package',
    { files: [...FILES, 'examples/a/data/keepsake.db'] },
    'must not be in the package',
  ],
  ['no provenance', { env: {} }, 'Provenance'],
  ['a private package', { manifest: { ...GOOD.manifest, private: true } }, 'private'],
])('stops at %s', (_what, changed, problem) => {
  expect(problemsOf({ ...GOOD, ...changed }).join('\n')).toContain(problem);
});
