/** When the stream of events is trimmed, and how far. */
import { expect, it } from 'vitest';
import { trimUpTo } from '../../../src/drivers/common/event-stream.ts';

it('keeps the first 100,000 events', () => {
  expect(trimUpTo(1_000)).toBe(0);
  expect(trimUpTo(100_000)).toBe(0);
});

it('trims once in 1,000 events, whether they come one by one or many at once', () => {
  expect(trimUpTo(101_000)).toBe(1_000);
  expect(trimUpTo(101_001)).toBe(0);
  expect(trimUpTo(101_001, 101_999)).toBe(0);
  expect(trimUpTo(100_990, 101_010)).toBe(1_010);
});
