/** docs/guides/conversations.md says what it must; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/conversations.md'), 'utf8');
it('A-19 A-71 A-72 what it is not, how to use it well, and why it is as it is', () => {
  for (const promise of [
    'It is not a search index over documents (RAG)',
    'a name that lasts',
    'Leave compression on',
    'Lower `threshold`',
    'Compact by hand after a milestone',
    'Do not use the transcript as a place for documents',
    'Set `memoryMdPath = null`',
    'The name is the identity',
    'memory, not a request of the moment',
    'would otherwise load both',
  ]) {
    expect(page).toContain(promise);
  }
});
