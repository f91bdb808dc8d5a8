/** Tables of measurements in the guides are those that were saved, so that nobody reads figures of another day. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { guidesOf, readSaved, withTables } from '../../bench/lib/page.ts';

const root = join(import.meta.dirname, '../..');
const pages = guidesOf(root).map((file) => ({ file, text: readFileSync(file, 'utf8') }));

it('every table is as `npm run bench -- --save` writes it', () => {
  for (const { file, text } of pages) expect([file, text]).toEqual([file, withTables(text, readSaved(root))]);
  const shown = pages.flatMap(({ text }) =>
    [...text.matchAll(/<!-- bench: (\S+) -->/g)].map(([, name]) => name),
  );
  expect(shown.sort()).toEqual(['drivers', 'guard', 'peers', 'sizing']);
});

it('a table of a suite that nobody saved is no table', () => {
  expect(() => withTables('<!-- bench: none -->\n<!-- end -->', [])).toThrow('"none"');
});
