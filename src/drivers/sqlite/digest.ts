/** Hashes that recognise an equal record, or a key used before, without keeping the text. */
import { createHash, randomBytes } from 'node:crypto';

/** 128 bits are far beyond accident, and half the size in the index. */
const LENGTH = 16;

export function digestOf(...parts: readonly string[]): Buffer {
  const hash = createHash('sha256');
  // Lengths keep ("ab", "c") apart from ("a", "bc").
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest().subarray(0, LENGTH);
}

/** Stands in for a digest that must no longer say anything. */
export function noDigest(): Buffer {
  return randomBytes(LENGTH);
}
