/** Marks the words of a question in a text. */
import { type Child, h } from './elements.ts';

/** Words that nearly every text contains. */
const COMMON = new Set([
  ...['about', 'after', 'also', 'been', 'does', 'from', 'have', 'into', 'that', 'their', 'them', 'then'],
  ...['there', 'they', 'this', 'what', 'when', 'where', 'which', 'will', 'with', 'would', 'your'],
]);

export function marked(text: string, question: string): Child {
  const found = question.toLowerCase().match(/[\p{L}\p{N}]{4,}|\p{Lo}+/gu) ?? [];
  const words = new Set(found.filter((word) => !COMMON.has(word)));
  if (words.size === 0) return text;
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .map((part) => (words.has(part.toLowerCase()) ? h('mark', null, part) : part));
}
