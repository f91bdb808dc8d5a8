/** The words of a record as engines with a text index of their own count them. */
import { analyze } from '../../kernel/analysis.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { isShared } from '../../kernel/scope.ts';
import { type WeighedText, weigh } from './term-weights.ts';

export type IndexedRecord = Pick<MemoryRecord, 'scope' | 'user' | 'category' | 'content' | 'tags'>;

/** The words of the text, and those of the labels. */
export const splitWords = ({
  category,
  content,
  tags,
}: Pick<IndexedRecord, 'category' | 'content' | 'tags'>) => ({
  body: analyze(content),
  labels: analyze([category, ...tags].join(' ')),
});

/** What marks a record counts as words of its length. SQLite's index marks shared records, and those about a user, twice. */
export const marksOf = ({ scope, user }: Pick<IndexedRecord, 'scope' | 'user'>): number =>
  isShared({ scope }) || user !== null ? 2 : 1;

export function wordsOf({
  scope,
  user,
  category,
  content,
  tags,
}: IndexedRecord): WeighedText & { readonly shared: boolean } {
  const { words, frequencies, length } = weigh(content, [category, ...tags]);
  return { words, frequencies, shared: isShared({ scope }), length: length + marksOf({ scope, user }) };
}
