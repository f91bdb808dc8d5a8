/** docs/guides/swarms.md says what it must; test/e2e/docs runs what it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/guides/swarms.md'), 'utf8');
it('C-01 C-25 E-33 the guide names the three levels of memory, and what is worth keeping', () => {
  const rows = page.match(/^\| (short-term|working|long-term) \|.*$/gm)!;
  expect(
    rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  ).toEqual([
    ['short-term', expect.stringContaining('prompt'), 'one agent', 'one session'],
    ['working', expect.stringContaining('JSON'), expect.stringContaining('all'), 'until the run ends'],
    ['long-term', expect.stringContaining('swarm-memory'), expect.stringContaining('everyone'), 'for good'],
  ]);
  const [, worth = '', not = ''] =
    /Store (how a problem [\s\S]*?)Do not\s+store([\s\S]*?)\n\n/.exec(page) ?? [];
  for (const word of ['solved', 'patterns', 'mistakes', 'settings', 'lead', 'user'])
    expect(worth).toContain(word);
  for (const word of ['current task', 'unverified', 'documentation']) expect(not).toContain(word);
});
