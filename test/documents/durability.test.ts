/** The order of operations on which durability rests: no test can pull the plug, so the order itself is the test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ABSENT, ANY, type DocumentFile, nodeFiles } from '../../src/documents/index.ts';
import { FaultyFiles } from '../../src/testing/faulty-files.ts';
import { makeDocument, makeRoot } from './fixture.ts';

/** The changes and syncs of one call, without the looking around. */
async function changes(use: (document: DocumentFile) => Promise<unknown>, old?: string, path = 'MEMORY.md') {
  const root = makeRoot();
  if (old !== undefined) writeFileSync(join(root, path), old);
  const files = new FaultyFiles(nodeFiles);
  await use(makeDocument({ root, path, files }).document);
  return files.operations
    .filter((name) => /^(write|sync|rename|link|unlink|mkdir|truncate)$/.test(name))
    .join(' ');
}

it('replaces: the content is synced before the rename, the folder after it', async () => {
  expect(await changes((document) => document.replace('x', { ifHash: ANY }), 'old')).toBe(
    'write sync rename sync',
  );
  expect(await changes((document) => document.update(() => 'x'), 'old')).toBe(
    'write sync link rename unlink sync',
  );
});

it('creates: the same with a link, and each new folder is synced in its parent', async () => {
  const create = (document: DocumentFile) => document.replace('x', { ifHash: ABSENT });
  expect(await changes(create)).toBe('write sync link unlink sync');
  expect(await changes(create, undefined, 'a/b/x.md')).toBe(
    'mkdir sync mkdir sync write sync link unlink sync',
  );
});

it('appends: synced before it is acknowledged, with a note around it when it crosses a page', async () => {
  expect(await changes((document) => document.append('x'), 'old')).toBe('write sync');
  expect(await changes((document) => document.append('x'.repeat(5_000)), 'old')).toBe(
    'write write sync unlink',
  );
  expect(await changes((document) => document.append('xx'), 'o'.repeat(4_094))).toBe('write sync');
  expect(await changes((document) => document.append('xxx'), 'o'.repeat(4_094))).toBe(
    'write write sync unlink',
  );
});

it('removes and cuts: synced', async () => {
  expect(await changes((document) => document.remove({ ifHash: ANY }), 'old')).toBe('unlink sync');
  expect(await changes((document) => document.exclusive((held) => held.truncate(1)), 'old')).toBe(
    'truncate sync',
  );
});
