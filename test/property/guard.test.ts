/** The guard under fire: any text at all, and megabytes made to be slow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard, neutralise } from '../../src/guard/index.ts';
import { normalise } from '../../src/guard/normalise.ts';
import { SHAPES } from '../../src/guard/patterns/index.ts';
import { scan } from '../../src/guard/scan.ts';
import { findSecrets, redactSecrets, SECRET_SHAPES } from '../../src/guard/secrets.ts';
import { ORIGINS } from '../../src/kernel/record.ts';
import { campaign } from '../fixtures/campaign.ts';

const seed = Number(process.env.KEEPSAKE_SEED ?? Date.now() % 2 ** 31);
console.log(`guard: KEEPSAKE_SEED=${seed}`);
/** All of so many cases in a campaign, a quarter of them otherwise. */
const options = (numRuns: number) => ({ seed, numRuns: campaign(numRuns / 4, numRuns) });

/** Pieces that mean something to the guard, and any others. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    ...[
      'ignore ',
      'previous ',
      'instructions',
      '<|im_',
      '|>',
      '</memory-context',
      '>',
      '%41',
      '&#105;',
      '\\u0069',
      'i g n ',
    ],
    ...[
      'SWdub3Jl',
      '69676e6f',
      '01101001 ',
      'sk-',
      'eyJ',
      'password=',
      '-----BEGIN ',
      'PRIVATE KEY-----',
      '\u200b',
      '\u202e',
    ],
    ...['\u{e0041}', '🏴', '\ud800', '\u0301', 'а', '0', '\n', '\u0000', '\u3164'],
  ),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('any text', () => {
  it('is judged, never thrown at, and the same every time', () => {
    const guard = createGuard({ secrets: 'redact' });
    fc.assert(
      fc.property(text, text, fc.constantFrom(...ORIGINS), (content, tag, origin) => {
        const subject = { content, category: 'fact', tags: [tag], origin };
        const verdict = guard.inspect(subject);
        expect(guard.inspect(subject)).toEqual(verdict);
        expect(verdict.allowed).toBe(verdict.reasons.length === 0);
      }),
      options(5_000),
    );
  });

  it('is normalised once and for all', () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = normalise(given).text;
        expect(normalise(once).text).toBe(once);
      }),
      options(10_000),
    );
  });

  it('is neutralised and redacted once and for all', () => {
    fc.assert(
      fc.property(text, (given) => {
        const safe = neutralise(given);
        expect(neutralise(safe)).toBe(safe);
        expect(safe).not.toMatch(/<[\s/]*memory[-_ ]?context/i);
        const redacted = redactSecrets(given);
        expect(redactSecrets(redacted)).toBe(redacted);
      }),
      options(10_000),
    );
  });

  it('that a stranger may store, a person may store', () => {
    const guard = createGuard({ secrets: 'allow' });
    fc.assert(
      fc.property(text, (content) => {
        const subject = { content, category: 'fact', tags: [] };
        const allowed = ORIGINS.map((origin) => guard.inspect({ ...subject, origin }).allowed);
        const [user, agent, tool] = allowed;
        expect([user || !agent, agent || !tool]).toEqual([true, true]);
      }),
      options(5_000),
    );
  });
});

/** A pattern that goes back and forth needs minutes for each of these, and the timeout of the test ends it. */
describe('a megabyte made to be slow', () => {
  const SIZE = 1_000_000;
  const fill = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);

  /** The words that a regular expression begins with or holds, as bait for it. */
  function baits(shape: RegExp): string[] {
    const words = shape.source
      .replace(/\[(?:\\.|[^\]\\])*\]/g, ' ')
      .replace(/\{\d*,?\d*\}|\(\?(?:[:=!]|<[=!])|\\[a-zA-Z]/g, ' ')
      .split(/[^\w<>|@:/#%-]+/)
      .filter((word) => word.length > 1);
    return [
      ...words.slice(0, 3).map((word) => `${word} `),
      words.slice(0, 6).join(' '),
      words.join(''),
    ].filter(Boolean);
  }

  it.each([...SHAPES, ...SECRET_SHAPES].map(({ name, shape }) => [name, shape] as const))(
    '%s',
    (_, shape) => {
      for (const bait of baits(shape)) {
        const hostile = fill(bait.toLowerCase());
        let found = 0;
        for (const _match of hostile.matchAll(new RegExp(shape.source, `${shape.flags.replace('g', '')}g`)))
          found++;
        expect(found).toBeLessThanOrEqual(SIZE);
      }
    },
  );

  it.each([
    'a',
    ' ',
    '\n',
    'ignore ',
    'ignore previous ',
    'i g n o r e ',
    '%41',
    '41 ',
    '01010101 ',
    'QUJD',
    '&#',
    '<',
    '"',
    '\u200b',
    'а',
    'ö ',
    '無視',
  ])('all of the guard, fed with %j', (unit) => {
    const hostile = fill(unit);
    expect(scan(hostile).score).toBeGreaterThanOrEqual(0);
    expect(findSecrets(hostile)).toEqual([]);
    expect(neutralise(hostile).length).toBeLessThanOrEqual(SIZE);
  });
});
