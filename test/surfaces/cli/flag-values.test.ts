/** Values of flags: times above all, which people write in many ways. */
import { describe, expect, it } from 'vitest';
import { type FlagType, NOTHING, parseFlag, placeholderOf } from '../../../src/surfaces/cli/flag-values.ts';

const time: FlagType = { kind: 'time', choices: [], nullable: true };

describe('a time', () => {
  it.each([
    ['1700000000000', 1_700_000_000_000],
    ['0000000000001', 1],
    ['2026-11-03T14:00:00Z', Date.UTC(2026, 10, 3, 14)],
    ['2026-11-03T14:00:00.250+02:00', Date.UTC(2026, 10, 3, 12, 0, 0, 250)],
    // Without a zone, the clock on the wall.
    ['2026-11-03', new Date(2026, 10, 3).getTime()],
    ['2026-11-03 14:05', new Date(2026, 10, 3, 14, 5).getTime()],
    ['2026-11-03T14:05:06', new Date(2026, 10, 3, 14, 5, 6).getTime()],
    ['never', NOTHING],
    ['null', NOTHING],
  ])('%s', (text, value) => expect(parseFlag(time, text)).toBe(value));

  it.each(['', 'soon', '2026', '2026-13-01', '2026-11-31x', '11/03/2026', '2026-11-03 25:00', '-1'])(
    'is not %j',
    (text) => expect(() => parseFlag(time, text)).toThrow('Expected a time'),
  );

  it.each(['2026-02-30', '2025-02-29', '2026-04-31 10:00', '2026-06-31T10:00:00Z', '2026-02-32'])(
    'is of a day that there is, not %j',
    (text) => expect(() => parseFlag(time, text)).toThrow(`${text.slice(0, 10)} is not a date that exists.`),
  );

  it('may be of a leap day', () => {
    expect(parseFlag(time, '2028-02-29')).toBe(new Date(2028, 1, 29).getTime());
  });

  it('has no "never" where none is allowed', () => {
    expect(() => parseFlag({ ...time, nullable: false }, 'never')).toThrow('Expected a time');
  });
});

describe('placeholderOf', () => {
  it.each<[FlagType, string]>([
    [{ kind: 'text', choices: [], nullable: false }, 'text'],
    [{ kind: 'integer', choices: [], nullable: false }, 'number'],
    [{ kind: 'text', choices: ['agent', 'swarm'], nullable: false }, 'agent|swarm'],
    [{ kind: 'text', choices: ['one', 'two', 'three', 'four'], nullable: false }, 'choice'],
  ])('%o', (type, text) => expect(placeholderOf(type)).toBe(text));
});
