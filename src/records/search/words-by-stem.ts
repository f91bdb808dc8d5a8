/** The original words of a query by stem. */
import { analyze } from '../../kernel/analysis.ts';

export const WORDS = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}|\p{RI}{2}/gu;
/** Longer questions are not read to their end either when they are searched for. */
export const MAX_QUERY = 20_000;

/** Worked out once for all hits. */
export function wordsByStem(query: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const word of query.slice(0, MAX_QUERY).match(WORDS) ?? []) {
    for (const term of analyze(word)) if (!words.has(term)) words.set(term, word);
  }
  return words;
}
