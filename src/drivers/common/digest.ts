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

/** What makes two records the same. The same words in another conversation or document are another record. */
export function recordDigest(record: {
  readonly agent: string;
  readonly scope: string;
  readonly source: string;
  readonly category: string;
  readonly content: string;
  readonly thread: string | null;
}): Buffer {
  const { agent, scope, source, category, content, thread } = record;
  return digestOf(agent, scope, source, category, content, ...(thread === null ? [] : [thread]));
}

/** Stands in for a digest that must no longer say anything. */
export function noDigest(): Buffer {
  return randomBytes(LENGTH);
}
