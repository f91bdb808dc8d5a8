/** Says in words why a hit is where it is. */
import { DAY } from '../../kernel/clock.ts';
import type { Ranked } from '../ranker.ts';

const MAX_WORDS = 6;
/** Below this, a factor is not worth mentioning. */
const NOTABLE = 0.01;

const two = (value: number): string => value.toFixed(2);

function words(query: string, matched: readonly string[], stemOf: (word: string) => string[]): string[] {
  const wanted = new Set(matched);
  const seen = new Set<string>();
  for (const word of query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    if (stemOf(word).some((term) => wanted.has(term))) seen.add(word);
  }
  return [...seen];
}

/** One sentence: what matched, how close in meaning, what the neighbours added, and what time and use made of it. */
export function explain(hit: Ranked, query: string, now: number, stemOf: (word: string) => string[]): string {
  const { coverage, similarity, semantic, context, recencyDecay, accessBoost, relevance } = hit.factors;
  const parts: string[] = [];
  const matched = words(query, hit.matched, stemOf);
  if (matched.length > 0) {
    const shown = matched.slice(0, MAX_WORDS).map((word) => `"${word}"`);
    const more = matched.length > MAX_WORDS ? ` and ${matched.length - MAX_WORDS} more` : '';
    parts.push(`holds ${shown.join(', ')}${more} (${two(coverage)} of the question)`);
  }
  if (similarity !== null && semantic >= NOTABLE) {
    parts.push(`close in meaning (${two(semantic)}, cosine ${two(similarity)})`);
  }
  if (context >= NOTABLE) parts.push(`its neighbours match (${two(context)})`);
  if (parts.length === 0) parts.push('shares words with the best hits');
  const days = Math.max(0, now - hit.record.updatedAt) / DAY;
  const factors = [`relevance ${two(relevance)}`];
  if (recencyDecay < 1 - NOTABLE) factors.push(`× ${two(recencyDecay)} for ${Math.round(days)} days of age`);
  if (accessBoost > 1 + NOTABLE) {
    factors.push(`× ${two(accessBoost)} for being opened ${hit.record.accessCount} times`);
  }
  return `${parts.join('; ')}. ${factors.join(' ')} = ${two(hit.score)}.`;
}
