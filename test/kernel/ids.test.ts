/** Ids sort by time, whatever the clock does, and never repeat. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { fakeClock, seededRandom } from '../../src/testing/index.ts';

const sorted = (ids: readonly string[]): boolean => ids.every((id, i) => i === 0 || ids[i - 1]! < id);

describe('ids', () => {
  it('have a prefix, ten characters of time and sixteen of chance', () => {
    const ids = createIds(systemClock);
    for (const prefix of ['mem', 'msg', 'run', 'ses', 'key', 'qtn', 'rcp'] as const) {
      expect(ids(prefix)).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
    }
  });

  it('tell their time', () => {
    const clock = fakeClock(0);
    const ids = createIds(clock);
    expect(ids('mem').slice(4, 14)).toBe('0000000000');
    clock.set(32 ** 3 + 31);
    expect(ids('mem').slice(4, 14)).toBe('000000100z');
  });

  it('sort by the time of their creation', () => {
    const clock = fakeClock();
    const ids = createIds(clock, seededRandom(1).bytes);
    const made = Array.from({ length: 1_000 }, () => {
      clock.advance(1);
      return ids('mem');
    });
    expect(sorted(made)).toBe(true);
  });

  it('sort within one millisecond', () => {
    const ids = createIds(fakeClock(), seededRandom(2).bytes);
    expect(sorted(Array.from({ length: 10_000 }, () => ids('mem')))).toBe(true);
  });

  it('sort within one millisecond even when chance began at its highest', () => {
    const ids = createIds(fakeClock(), (length) => new Uint8Array(length).fill(255));
    expect(sorted(Array.from({ length: 100 }, () => ids('mem')))).toBe(true);
  });

  it('sort when the clock steps back', () => {
    const clock = fakeClock();
    const ids = createIds(clock, seededRandom(3).bytes);
    const made = Array.from({ length: 500 }, (_, i) => {
      clock.advance(i % 7 === 0 ? -3_600_000 : 5);
      return ids('mem');
    });
    expect(sorted(made)).toBe(true);
  });

  it('are unique: 100,000 of two makers at one moment', () => {
    const clock = fakeClock();
    const makers = [createIds(clock), createIds(clock)];
    const made = new Set<string>();
    for (let i = 0; i < 100_000; i++) made.add(makers[i % 2]!('mem'));
    expect(made.size).toBe(100_000);
  });
});
