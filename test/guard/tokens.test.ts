/** The quick way through ASCII text cuts it exactly as the regular expression does that defines what a token is. */
import { expect, it } from 'vitest';
import { seeded } from '../../scripts/guard-model/templates.ts';
import { eachToken, PIECES } from '../../src/guard/tokens.ts';

type Token = readonly [kind: 'word' | 'run' | 'break', text: string];

function asDefined(text: string): Token[] {
  return [...text.matchAll(new RegExp(PIECES.source, PIECES.flags))].map(([, run, word]) => {
    if (word !== undefined) return ['word', word.replaceAll(/['’]/g, '')];
    return run === undefined ? ['break', ''] : ['run', run];
  });
}

function asCut(text: string): Token[] {
  const tokens: Token[] = [];
  eachToken(
    text,
    (word) => tokens.push(['word', word]),
    (run) => tokens.push(['run', run]),
    () => tokens.push(['break', '']),
  );
  return tokens;
}

const PARTS = [
  ...[
    'a',
    'word',
    "don't",
    'x_1',
    '@me',
    '$5',
    '7',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    '.',
    '. ',
    '!',
    '?"',
    ';)',
    ':',
  ],
  ...[
    '\n- ',
    '\n 2) ',
    '\n* ',
    '|',
    '#',
    '...',
    "'",
    '’s',
    'é',
    'ü',
    '“',
    '”',
    '。',
    '記憶',
    'ไทย',
    '\u0301',
    '\u00a0',
    '—',
  ],
];

it('cuts random texts as the definition says', () => {
  const random = seeded(11);
  for (let i = 0; i < 20_000; i++) {
    const length = 1 + Math.floor(random() * 12);
    const text = Array.from({ length }, () => PARTS[Math.floor(random() * PARTS.length)]).join('');
    expect(asCut(text), JSON.stringify(text)).toEqual(asDefined(text));
  }
});
