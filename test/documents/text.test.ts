/** Where exactly a text stops being UTF-8, over all kinds of damage. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decode, encode, hashOf } from '../../src/documents/text.ts';
import type { KeepsakeError } from '../../src/kernel/errors.ts';

const offsetOf = (bytes: Uint8Array): unknown => {
  try {
    decode(bytes, 'x.md');
  } catch (error) {
    return (error as KeepsakeError).details.offset;
  }
  return undefined;
};

it('decodes and encodes every text without loss', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decode(encode(text, 'x.md'), 'x.md')).toBe(text);
    }),
  );
});

it('decodes every sequence of bytes exactly or not at all', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      if (offsetOf(bytes) !== undefined) return;
      expect(Buffer.from(encode(decode(bytes, 'x.md'), 'x.md')).equals(bytes)).toBe(true);
    }),
  );
});

it('names the first byte that is wrong', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const valid = Buffer.from(before);
      // 0xff occurs nowhere in UTF-8.
      expect(offsetOf(Buffer.concat([valid, Buffer.from([0xff]), Buffer.from(after)]))).toBe(valid.length);
    }),
  );
  expect(offsetOf(Buffer.from([0x61, 0xf0, 0x9f, 0x98]))).toBe(1);
  expect(offsetOf(Buffer.from([0xff, 0xfe, 0x61, 0x00]))).toBe(0);
  expect(offsetOf(Buffer.from([0xed, 0xa0, 0x80]))).toBe(0);
});

it('hashes with SHA-256', () => {
  expect(hashOf(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
