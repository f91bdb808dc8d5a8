/** The words of a record as engines with a text index of their own count them. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { type WeighedText, weigh } from './term-weights.ts';

export type IndexedRecord = Pick<MemoryRecord, 'scope' | 'category' | 'content' | 'tags'>;

/** A shared one counts a word more, for being everybody's as well as its owner's. */
export function wordsOf({
  scope,
  category,
  content,
  tags,
}: IndexedRecord): WeighedText & { readonly shared: boolean } {
  const { words, frequencies, length } = weigh(content, [category, ...tags]);
  const shared = scope === 'swarm';
  return { words, frequencies, shared, length: length + (shared ? 2 : 1) };
}
