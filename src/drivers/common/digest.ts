/** Hashes that recognise an equal record, or a key used before, without keeping the text. */
import { hash, randomBytes } from 'node:crypto';

/** 128 bits are far beyond accident, and half the size in the index. */
const LENGTH = 16;

export function digestOf(...parts: readonly string[]): Buffer {
  // Lengths keep ("ab", "c") apart from ("a", "bc").
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return hash('sha256', text, 'buffer').subarray(0, LENGTH);
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
