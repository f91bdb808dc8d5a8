/** A clock that a test can rely on. */
import { describe, expect, it } from 'vitest';
import { fakeClock, seededRandom } from '../../src/testing/index.ts';

describe('the fake clock', () => {
  it('stands still until it is moved', () => {
    const clock = fakeClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
    expect(clock.advance(5)).toBe(1_005);
    expect(clock.advance(-10)).toBe(995);
    clock.set('1970-01-01T00:00:02Z');
    expect(clock.now()).toBe(2_000);
  });

  it('starts at an ISO time, and has a start of its own', () => {
    expect(fakeClock('2026-01-01T00:00:00.001Z').now()).toBe(1_767_225_600_001);
    expect(fakeClock().now()).toBe(fakeClock().now());
  });

  it.each([Number.NaN, 0.5, Number.POSITIVE_INFINITY, 'yesterday'])('refuses %s', (time) => {
    expect(() => fakeClock(time)).toThrow(RangeError);
    expect(() => fakeClock(0).set(time)).toThrow(RangeError);
  });
});

describe('seeded chance', () => {
  const take = (seed: number) => Array.from({ length: 50 }, seededRandom(seed).next);

  it('repeats for a seed and differs between seeds', () => {
    expect(take(42)).toEqual(take(42));
    const firsts = new Set(Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed).next()));
    expect(firsts.size).toBe(1_000);
  });

  it('stays within its bounds and visits them evenly', () => {
    const random = seededRandom(0);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 10_000; i++) counts[random.below(10)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    expect(random.bytes(16)).toHaveLength(16);
    expect(['a', 'b']).toContain(random.pick(['a', 'b']));
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
