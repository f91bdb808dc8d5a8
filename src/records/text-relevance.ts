/** How much of a question a text answers: each term weighs as much as it is rare, and saturates when repeated. */
import { analyze } from '../kernel/analysis.ts';

/** BM25's saturation, with a gentle length norm: memories are short, and a long one is not worse for it. */
const K1 = 1.2;
const B = 0.3;
const TYPICAL_LENGTH = 40;

/** Lucene's inverse document frequency: positive even for a term that every record holds. */
export function rarity(frequency: number, population: number): number {
  return Math.log(1 + (Math.max(0, population - frequency) + 0.5) / (frequency + 0.5));
}

export function textRelevance(
  text: string,
  terms: readonly string[],
  frequencies: ReadonlyMap<string, number>,
  population: number,
): number {
  const counts = new Map<string, number>(terms.map((term) => [term, 0]));
  const all = analyze(text);
  for (const term of all) {
    const count = counts.get(term);
    if (count !== undefined) counts.set(term, count + 1);
  }
  const norm = K1 * (1 - B + (B * all.length) / TYPICAL_LENGTH);
  let sum = 0;
  let whole = 0;
  for (const [term, count] of counts) {
    const weight = rarity(frequencies.get(term) ?? 0, population);
    whole += weight;
    // One occurrence in a text of typical length counts fully; more cannot count for more than the term is worth.
    sum += weight * Math.min(1, (count * (K1 + 1)) / (count + norm));
  }
  return whole === 0 ? 0 : sum / whole;
}
