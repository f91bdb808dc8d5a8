/** What the words of a record say about a question: BM25, and which part of the question they cover. */
import { analyze, isPair } from '../../kernel/analysis.ts';
import type { TermCounts } from './term-counts.ts';

/** Term → how much a match is worth. */
export type Weights = ReadonlyMap<string, number>;

/** BM25's usual constants, with a weaker length norm: much weaker, and long answers of assistants crowd out short facts. */
const K1 = 1.2;
const B = 0.6;
/** What all names of the question together are worth, as a part of a full answer. */
const NAMES = 0.15;
/** A name alone is no answer: it counts in full beside so much of one. */
const BESIDE_NAMES = 0.2;
/** A match of the rarest few words of a long question is a full match: nobody repeats a paragraph word for word. */
const TELLING_TERMS = 6;

/** In scripts without spaces every other pair straddles two words. One that no record holds is seldom a word of its own. */
const STRADDLING = 0.25;

/** Lucene's inverse document frequency: positive even for a term that every record holds. */
export function rarity(frequency: number, population: number): number {
  return Math.log(1 + (Math.max(0, population - frequency) + 0.5) / (frequency + 0.5));
}

/** Words that no record holds weigh nothing in the order, but they do make the question less answered. */
export function weigh(
  terms: readonly string[],
  frequencies: ReadonlyMap<string, number>,
  population: number,
): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const frequency = frequencies.get(term) ?? 0;
      const part = frequency === 0 && isPair(term) ? STRADDLING : 1;
      return [term, part * rarity(frequency, population)];
    }),
  );
}

function saturation(count: number, length: number, typicalLength: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / typicalLength));
}

/** The words of a question that a record holds, in the question's order. */
export interface Holdings {
  readonly terms: readonly string[];
  /** What each is worth, and how often it stands there. */
  readonly weights: readonly number[];
  readonly counts: readonly number[];
  /** The weights added up. */
  readonly weight: number;
  /** How long the record is. */
  readonly length: number;
}

/** Looked up once for each record; what they are worth is asked for several times on the way to its rank. */
export function holdings({ counts: all, length }: TermCounts, question: Weights): Holdings {
  const terms: string[] = [];
  const weights: number[] = [];
  const counts: number[] = [];
  let sum = 0;
  for (const [term, weight] of question) {
    const count = all.get(term);
    if (count === undefined) continue;
    terms.push(term);
    weights.push(weight);
    counts.push(count);
    sum += weight;
  }
  return { terms, weights, counts, weight: sum, length };
}

/** What further words add, which are looked up for this alone. */
export function bm25Of({ counts, length }: TermCounts, weights: Weights, typicalLength: number): number {
  let sum = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term);
    if (count !== undefined) sum += weight * saturation(count, length, typicalLength);
  }
  return sum;
}

export function bm25({ weights, counts, length }: Holdings, typicalLength: number): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += weights[i]! * saturation(counts[i]!, length, typicalLength);
  return sum;
}

/** A capital letter within a sentence; at its beginning it says nothing. */
const NAME = /(?<=[\p{L}\p{N},;:'’"]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu;
/** More of a question is not looked through. */
const MAX_QUERY = 2_000;

/** The terms of whom or what a question names. */
export function namesIn(query: string): string[] {
  return [...new Set((query.slice(0, MAX_QUERY).match(NAME) ?? []).flatMap(analyze))];
}

/** The evidence of words, and what the names in them add. Who is named often is in many records, so a name weighs little by its rarity, though it says whom all is about. */
export function withNames(
  { counts }: TermCounts,
  names: readonly string[],
  text: number,
  whole: number,
): number {
  if (names.length === 0 || whole === 0) return text;
  const share = names.filter((name) => counts.has(name)).length / names.length;
  return text + NAMES * whole * share * Math.min(1, text / (BESIDE_NAMES * whole));
}

/** What a full answer holds: the weight of the question's most telling words. */
export function fullWeight(weights: Weights): number {
  const telling = [...weights.values()].sort((a, b) => b - a).slice(0, TELLING_TERMS);
  return telling.reduce((sum, weight) => sum + weight, 0);
}

/** The share of the question's weight that the record answers, 0 to 1. Its length does not matter. */
export function coverage({ weight }: Holdings, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, weight / whole);
}

/** The rarest first. */
export function matchedTerms({ terms, weights }: Holdings): string[] {
  const places = [...terms.keys()].sort((a, b) => weights[b]! - weights[a]!);
  return places.map((place) => terms[place]!);
}

/** The rarest of the terms, so many at most. */
export function rarest(terms: readonly string[], weights: Weights, most: number): string[] {
  return [...terms]
    .sort((a, b) => (weights.get(b) as number) - (weights.get(a) as number) || (a < b ? -1 : 1))
    .slice(0, most);
}
