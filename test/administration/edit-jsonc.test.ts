/** One value of a file that people edit is set; every line of theirs stays as they wrote it. */
import { type ParseError, parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { withValue } from '../../src/administration/edit-jsonc.ts';

const set = (text: string): string => withValue(text, ['models', 'embedding'], 'none');
const BLOCK = '"models": {\n    "embedding": "none"\n  }';

it.each([
  [
    'behind a remark',
    '{\n  "memory": { "maxEntries": 300 },   // cap\n}\n',
    `{\n  "memory": { "maxEntries": 300 },   // cap\n  ${BLOCK},\n}\n`,
  ],
  [
    'behind a line without a comma',
    '{\n  "memory": { "maxEntries": 300 } /* a */ // cap\n\n  // more\n}\n',
    `{\n  "memory": { "maxEntries": 300 }, /* a */ // cap\n  ${BLOCK}\n\n  // more\n}\n`,
  ],
  [
    'behind a remark of two lines',
    '{\n  "name": "a", /* one\n  two */\n}\n',
    `{\n  "name": "a", /* one\n  two */\n  ${BLOCK},\n}\n`,
  ],
  [
    'behind a comma of another line',
    '{\n  "name": "a" // b\n  ,\n}\n',
    `{\n  "name": "a" // b\n  ,\n  ${BLOCK},\n}\n`,
  ],
  [
    'into a block of one line',
    '{\n  "models": { "main": "none" },   // both\n  "name": "a" // b\n}\n',
    '{\n  "models": { "main": "none", "embedding": "none" },   // both\n  "name": "a" // b\n}\n',
  ],
  [
    'into an empty block',
    '{\n  "models": {},   // none yet\n  "name": "a"\n}\n',
    '{\n  "models": { "embedding": "none" },   // none yet\n  "name": "a"\n}\n',
  ],
  [
    'into a block of remarks',
    '{\n  "models": { // all of them\n    // "main": "none",\n  },\n}\n',
    '{\n  "models": { // all of them\n    // "main": "none",\n    "embedding": "none"\n  },\n}\n',
  ],
  ['into a line', '{ "name": "a" } // b\n', '{ "name": "a", "models": { "embedding": "none" } } // b\n'],
  [
    'over another value',
    '{ "models": { "embedding":"static","main":"none" } } // b\n',
    '{ "models": { "embedding":"none","main":"none" } } // b\n',
  ],
  ['into a file of remarks', '// mine\n', `// mine\n{\n  ${BLOCK}\n}\n`],
  ['into nothing', '', `{\n  ${BLOCK}\n}\n`],
])('writes %s', (_, before, after) => {
  expect(set(before)).toBe(after);
  const errors: ParseError[] = [];
  expect(parse(after, errors, { allowTrailingComma: true })).toMatchObject({ models: { embedding: 'none' } });
  expect(errors).toEqual([]);
  expect(set(after)).toBe(after);
});
