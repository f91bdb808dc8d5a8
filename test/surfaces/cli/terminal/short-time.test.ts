/** Short times, in the zone of whoever looks. */
import { describe, expect, it } from 'vitest';
import { fileTime, shortTime } from '../../../../src/surfaces/cli/terminal/short-time.ts';

const at = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime();
const now = at(2026, 10, 3, 12, 0);

describe('shortTime', () => {
  it.each([
    [at(2026, 10, 3, 9, 5), 'today 09:05'],
    [at(2026, 10, 3, 23, 59), 'today 23:59'],
    [at(2026, 10, 2, 23, 59), 'yesterday 23:59'],
    [at(2026, 10, 4, 0, 0), 'tomorrow 00:00'],
    [at(2026, 10, 1, 0, 0), '1 Nov 00:00'],
    [at(2026, 0, 31, 8, 0), '31 Jan 08:00'],
    [at(2025, 10, 3, 12, 0), '3 Nov 2025'],
    [at(2027, 0, 1, 0, 0), '1 Jan 2027'],
  ])('%i is %s', (time, text) => expect(shortTime(time, now)).toBe(text));

  it('knows yesterday over the end of a year', () => {
    expect(shortTime(at(2026, 11, 31, 22, 0), at(2027, 0, 1, 1, 0))).toBe('yesterday 22:00');
  });
});

describe('fileTime', () => {
  it('is a name that sorts', () => {
    expect(fileTime(new Date(2026, 0, 3, 4, 5, 6).getTime())).toBe('2026-01-03_04-05-06');
  });
});
