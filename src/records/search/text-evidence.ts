/** What the words of a record say about a question: BM25, and which part of the question they cover. */
import type { TermCounts } from './term-counts.ts';

/** Term → how much a match is worth. */
export type Weights = ReadonlyMap<string, number>;

/** BM25's usual constants; with a weaker length norm, long answers of assistants crowd out short facts. */
const K1 = 1.2;
const B = 0.75;
/** A match of the rarest few words of a long question is a full match: nobody repeats a paragraph word for word. */
const TELLING_TERMS = 6;

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
  return new Map(terms.map((term) => [term, rarity(frequencies.get(term) ?? 0, population)]));
}

function saturation(count: number, length: number, typicalLength: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / typicalLength));
}

export function bm25({ counts, length }: TermCounts, weights: Weights, typicalLength: number): number {
  let sum = 0;
  for (const [term, weight] of weights) {
    const count = counts.get(term);
    if (count !== undefined) sum += weight * saturation(count, length, typicalLength);
  }
  return sum;
}

/** What a full answer holds: the weight of the question's most telling words. */
export function fullWeight(weights: Weights): number {
  const telling = [...weights.values()].sort((a, b) => b - a).slice(0, TELLING_TERMS);
  return telling.reduce((sum, weight) => sum + weight, 0);
}

/** The share of the question's weight that the record answers, 0 to 1. Its length does not matter. */
export function coverage({ counts }: TermCounts, weights: Weights, whole = fullWeight(weights)): number {
  let matched = 0;
  for (const [term, weight] of weights) if (counts.has(term)) matched += weight;
  return whole === 0 ? 0 : Math.min(1, matched / whole);
}

export function matchedTerms({ counts }: TermCounts, weights: Weights): string[] {
  return [...weights]
    .filter(([term]) => counts.has(term))
    .sort((a, b) => b[1] - a[1])
    .map(([term]) => term);
}
