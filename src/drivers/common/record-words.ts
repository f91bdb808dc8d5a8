/** The words of a record as engines with a text index of their own count them. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isShared } from '../../kernel/scope.ts';
import { type WeighedText, weigh } from './term-weights.ts';

export type IndexedRecord = Pick<MemoryRecord, 'scope' | 'category' | 'content' | 'tags'>;

/** A shared record counts one word more, because SQLite's index marks it as everybody's besides its owner's. */
export function wordsOf({
  scope,
  category,
  content,
  tags,
}: IndexedRecord): WeighedText & { readonly shared: boolean } {
  const { words, frequencies, length } = weigh(content, [category, ...tags]);
  const shared = isShared({ scope });
  return { words, frequencies, shared, length: length + (shared ? 2 : 1) };
}
