/** Hashes that recognise an equal record, or a key used before, without keeping the text. */
import { hash, randomBytes } from 'node:crypto';
import { identityOf } from '../../records/rules/duplicates.ts';

/** 128 bits are far beyond accident, and half the size in the index. */
const LENGTH = 16;

export function digestOf(...parts: readonly string[]): Buffer {
  // Lengths keep ("ab", "c") apart from ("a", "bc").
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return hash('sha256', text, 'buffer').subarray(0, LENGTH);
}

/** The same for records that are duplicates of each other. */
export function recordDigest(record: Parameters<typeof identityOf>[0]): Buffer {
  return digestOf(...identityOf(record));
}

/** An idempotency key is used up for its agent, or for its agent with one user. */
export function keyDigest({ user }: { readonly user: string | null }, key: string): Buffer {
  return user === null ? digestOf(key) : digestOf(key, user);
}

/** Takes the place of a digest that must no longer identify anything. */
export function noDigest(): Buffer {
  return randomBytes(LENGTH);
}
