/** What is given back is empty, and nothing that somebody else may still use is given back. */
import { expect, it } from 'vitest';
import { giveBack, keepFreed } from '../../../../src/drivers/sqlite/vectors/passing-memory.ts';

it('empties a buffer that has its memory to itself', () => {
  const own = Buffer.from(new ArrayBuffer(64));
  giveBack(own);
  expect(own).toHaveLength(0);
});

it('leaves a part of a larger buffer alone', () => {
  const whole = Buffer.from(new ArrayBuffer(64));
  giveBack(whole.subarray(0, 32));
  expect(whole).toHaveLength(64);
});

it('can be asked to keep what is freed as often as one likes', () => {
  for (let i = 0; i < 3; i++) expect(keepFreed()).toBeUndefined();
});
