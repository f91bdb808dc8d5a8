/** Explains the rank of a hit. */
import { analyze, isPair, isPairedCharacter } from '../../kernel/analysis.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Factors, Ranked } from '../ranker.ts';
import type { Passage, TermCounts } from './term-counts.ts';
import { termsInLabels, termsInText } from './text-evidence.ts';
import { MAX_QUERY, WORDS, wordsByStem } from './words-by-stem.ts';

const MAX_WORDS = 6;
/** Below this, a factor is not worth mentioning. */
const NOTABLE = 0.01;

const two = (value: number): string => value.toFixed(2);

/** How much of a passage is shown. */
const OPENING = 80;
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Which model read question and memories together, and why it did not, if so. */
export interface Reranking {
  readonly by: string;
  readonly failure?: string;
}

/** One sentence: what matched, how close in meaning, what the neighbours added, and what time and use made of it. */
export function explainer(
  query: string,
  now: number,
  termsOf: (hit: Ranked) => TermCounts,
  reranking?: Reranking,
): (hit: Ranked) => string {
  const words = wordsByStem(query);
  return (hit) => explain(hit, words, now, termsOf, reranking);
}

/** Words of a date count together, and are told together: here are those that it says itself. */
function saidBy(hit: Ranked, termsOf: (hit: Ranked) => TermCounts): string[] {
  const { candidate, asked } = hit;
  const held = termsInText(candidate.held, asked);
  if (!candidate.isOfThen) return held;
  const { counts } = termsOf(hit);
  const dated = new Set(asked.dated.map((place) => asked.terms[place]));
  return held.filter((term) => !dated.has(term) || counts.has(term));
}

/** Scripts without spaces are matched by pairs of characters: those that stand side by side in the question, as one. */
function spansOf(held: ReadonlySet<string>, words: ReadonlyMap<string, string>): Map<string, string> {
  const spans = new Map<string, string>();
  for (const term of held) if (isPairedCharacter(term)) spans.set(term, term);
  if (![...held].some(isPair)) return spans;
  for (const word of new Set(words.values())) {
    let pairs: string[] = [];
    const close = (): void => {
      const span = pairs.map((pair, place) => (place === 0 ? pair : [...pair].at(-1))).join('');
      for (const pair of pairs) spans.set(pair, span);
      pairs = [];
    };
    for (const pair of analyze(word).filter(isPair)) {
      if (held.has(pair)) pairs.push(pair);
      else close();
    }
    close();
  }
  return spans;
}

/** Words that its text does not have, said to be of the tag or the category that has them. */
function labelParts(hit: Ranked, words: ReadonlyMap<string, string>): string[] {
  const labels = termsInLabels(hit.candidate.held, hit.asked);
  if (labels.length === 0) return [];
  const tagged = new Set(analyze(hit.record.tags.join(' ')));
  const named = (terms: readonly string[]): string =>
    [...new Set(terms.map((term) => nameOf(term, hit, words)))].slice(0, MAX_WORDS).join(', ');
  const inTags = labels.filter((term) => tagged.has(term));
  const inCategory = labels.filter((term) => !tagged.has(term));
  return [
    ...(inTags.length === 0 ? [] : [`has the tag ${named(inTags)}`]),
    ...(inCategory.length === 0 ? [] : [`is of the category ${named(inCategory)}`]),
  ];
}

/** As it was asked; a word that was put right, as the record has it. */
function nameOf(term: string, { asked, record }: Ranked, words: ReadonlyMap<string, string>): string {
  const written = asked.readAs.get(term);
  if (written === undefined) return `"${words.get(term) ?? term}"`;
  const found = (record.content.slice(0, MAX_QUERY).match(WORDS) ?? []).find(
    (word) => analyze(word)[0] === term,
  );
  return `"${found ?? term}" for "${written}"`;
}

function dayOf({ validFrom, createdAt }: Ranked['record']): string {
  return new Date(validFrom ?? createdAt).toISOString().slice(0, 10);
}

/** How the passage begins, from its first whole word on. */
function opening({ record }: Ranked, { start }: Passage): string {
  const text = record.content
    .slice(start, start + OPENING)
    .toWellFormed()
    .replaceAll(/\s+/g, ' ');
  return `"${(start === 0 ? text : text.slice(text.indexOf(' ') + 1)).trim()}…"`;
}

/** What its form made of the score: how it begins, how it speaks, and whether it was said again. */
function shapeFactors({ openingBoost, speechBoost, earlierDecay, tokenBoost }: Factors): string[] {
  const factors: string[] = [];
  if (Math.abs(openingBoost - 1) > NOTABLE)
    factors.push(`× ${two(openingBoost)} for how much of the question its first lines hold`);
  if (Math.abs(speechBoost - 1) > NOTABLE)
    factors.push(`× ${two(speechBoost)} for who says it and how, as a line of a conversation`);
  if (Math.abs(tokenBoost - 1) > NOTABLE)
    factors.push(`× ${two(tokenBoost)} for how its tokens match those of the question`);
  if (earlierDecay < 1) factors.push(`× ${two(earlierDecay)} because it was said again later`);
  return factors;
}

function explain(
  hit: Ranked,
  words: ReadonlyMap<string, string>,
  now: number,
  termsOf: (hit: Ranked) => TermCounts,
  reranking: Reranking | undefined,
): string {
  const { coverage, similarity, semantic, context, relevance } = hit.factors;
  const { recencyDecay, accessBoost, orderBoost, authorBoost } = hit.factors;
  const parts: string[] = [];
  const held = saidBy(hit, termsOf);
  const spans = spansOf(new Set(held), words);
  const written = spans.size === 0 ? words : new Map([...words, ...spans]);
  const matched = [...new Set(held.map((term) => nameOf(term, hit, written)))];
  if (matched.length > 0) {
    const shown = matched.slice(0, MAX_WORDS);
    const more = matched.length > MAX_WORDS ? ` and ${matched.length - MAX_WORDS} more` : '';
    parts.push(`holds ${shown.join(', ')}${more} (${two(coverage)} of the question)`);
  }
  parts.push(...labelParts(hit, written));
  if (similarity !== null && semantic >= NOTABLE) {
    parts.push(`close in meaning (${two(semantic)}, cosine ${two(similarity)})`);
  }
  if (context >= NOTABLE)
    parts.push(`its neighbours ${hit.record.thread === null ? '' : 'in the thread '}match (${two(context)})`);
  const { isOfThen } = hit.candidate;
  if (isOfThen) parts.push(`of the time asked for (${dayOf(hit.record)})`);
  const passage = hit.candidate.held.terms?.passage;
  if (passage !== undefined)
    parts.push(`in the passage at character ${passage.start + 1}: ${opening(hit, passage)}`);
  if (hit.lent >= NOTABLE || parts.length === 0)
    parts.push(`shares words with the best hits${hit.lent >= NOTABLE ? ` (${two(hit.lent)})` : ''}`);
  const days = Math.max(0, now - hit.record.updatedAt) / DAY;
  const isReranked = reranking !== undefined && reranking.failure === undefined;
  const factors = [`relevance ${two(relevance)}${isReranked ? ` as ${reranking.by} judges` : ''}`];
  if (recencyDecay < 1 - NOTABLE)
    factors.push(`× ${two(recencyDecay)} for ${counted(Math.round(days), 'day')} of age`);
  if (accessBoost > 1 + NOTABLE) {
    factors.push(`× ${two(accessBoost)} for being opened ${counted(hit.record.accessCount, 'time')}`);
  }
  if (orderBoost > 1 + NOTABLE) factors.push(`× ${two(orderBoost)} for being an order or a preference`);
  if (authorBoost > 1 + NOTABLE) factors.push(`× ${two(authorBoost)} for being the user's own words`);
  factors.push(...shapeFactors(hit.factors));
  // Where nothing was multiplied, the score is the relevance, and needs no sum.
  if (factors.length > 1 || two(hit.score) !== two(relevance)) factors.push(`= ${two(hit.score)}`);
  const failure = reranking?.failure === undefined ? '' : ` Not reranked: ${reranking.failure}`;
  return `${parts.join('; ')}. ${factors.join(' ')}.${failure}`;
}
