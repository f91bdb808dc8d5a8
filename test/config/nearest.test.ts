/** The name that was meant. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, nearestName } from '../../src/config/nearest.ts';

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['abc', '', 3],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'abx', 1],
    ['abc', 'abcd', 1],
    ['kitten', 'sitting', 3],
  ])('%s → %s is %i', (a, b, distance) => expect(editDistance(a, b)).toBe(distance));

  test('is symmetric, and zero only for equal words', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
    );
  });
});

describe('nearestName', () => {
  const names = ['enabled', 'maxEntries', 'maxCharsInjected', 'dryRun'];

  test.each([
    ['enable', 'enabled'],
    ['max-entries', 'maxEntries'],
    ['dry_run', 'dryRun'],
    ['maxChars', undefined],
    ['zebra', undefined],
    ['', undefined],
  ])('%s → %s', (wrong, expected) => expect(nearestName(wrong, names)).toBe(expected));

  test('takes no time for a name of a megabyte', () => {
    expect(nearestName('x'.repeat(1_000_000), names)).toBeUndefined();
  });
});
