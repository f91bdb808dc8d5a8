/** docs/guides/conversations.md says what it must; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/guides/conversations.md'), 'utf8');
it('A-19 A-71 A-72 what it is not, how to use it well, and why it is as it is', () => {
  for (const promise of [
    /agent's own history\. Put documents into \[knowledge\]/,
    /permanent name/,
    /compression on for agents that run for a long time/,
    /Lower `threshold`/,
    /Compact manually after a milestone/,
    /Do not store documents in the transcript/,
    /Set `memoryMdPath = null`/,
    /The name identifies the conversation/,
    /does not mistake memory for a request/,
    /would load both/,
  ]) {
    expect(page).toMatch(promise);
  }
});
