/** Says in words why a hit is where it is. */
import { analyze } from '../../kernel/analysis.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Ranked } from '../ranker.ts';

const MAX_WORDS = 6;
/** Below this, a factor is not worth mentioning. */
const NOTABLE = 0.01;

const two = (value: number): string => value.toFixed(2);

/** Longer questions are not read to their end either when they are searched for. */
const MAX_QUERY = 20_000;

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The words of a question as they were written, by their stems. Worked out once for all hits. */
function wordsByStem(query: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const word of query
    .slice(0, MAX_QUERY)
    .match(/[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}|\p{RI}{2}/gu) ?? []) {
    for (const term of analyze(word)) if (!words.has(term)) words.set(term, word);
  }
  return words;
}

/** One sentence: what matched, how close in meaning, what the neighbours added, and what time and use made of it. */
export function explainer(query: string, now: number): (hit: Ranked) => string {
  const words = wordsByStem(query);
  return (hit) => explain(hit, words, now);
}

function explain(hit: Ranked, words: ReadonlyMap<string, string>, now: number): string {
  const { coverage, similarity, semantic, context, recencyDecay, accessBoost, relevance } = hit.factors;
  const parts: string[] = [];
  const matched = [...new Set(hit.matched.map((term) => words.get(term) ?? term))];
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
  if (recencyDecay < 1 - NOTABLE)
    factors.push(`× ${two(recencyDecay)} for ${counted(Math.round(days), 'day')} of age`);
  if (accessBoost > 1 + NOTABLE) {
    factors.push(`× ${two(accessBoost)} for being opened ${counted(hit.record.accessCount, 'time')}`);
  }
  return `${parts.join('; ')}. ${factors.join(' ')} = ${two(hit.score)}.`;
}
