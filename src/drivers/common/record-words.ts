/** The words of a record as engines with a text index of their own count them. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isShared } from '../../kernel/scope.ts';
import { type WeighedText, weigh } from './term-weights.ts';

export type IndexedRecord = Pick<MemoryRecord, 'scope' | 'user' | 'category' | 'content' | 'tags'>;

/** Shared records, and those about a user, count one word more: SQLite's index marks them twice. */
export function wordsOf({
  scope,
  user,
  category,
  content,
  tags,
}: IndexedRecord): WeighedText & { readonly shared: boolean } {
  const { words, frequencies, length } = weigh(content, [category, ...tags]);
  const shared = isShared({ scope });
  return { words, frequencies, shared, length: length + (shared || user !== null ? 2 : 1) };
}
