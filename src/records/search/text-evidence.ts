/** Word evidence: BM25 and the share of the question that a record covers. */
import { analyze, hasLargeNouns, isPair } from '../../kernel/analysis.ts';
import { ONLY_IN_LABELS } from '../../kernel/term-count.ts';

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

/** A word in a label says what a memory is filed under, not what it says: it counts half of one in a text of typical length. */
const LABEL = 0.5;

/** Of fewer records nobody can tell which words are common: in a store of one, each word of it is in every record. */
const LEAST_POPULATION = 20;

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
      // Endings of Japanese or Korean words are pairs that every second sentence has.
      const all = isPair(term) ? population : Math.max(LEAST_POPULATION, population);
      return [term, part * rarity(frequency, all)];
    }),
  );
}

export function saturation(count: number, length: number, typicalLength: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / typicalLength));
}

/** How often each term of a question stands in a record, in the question's order. */
export interface Held {
  /** From `start` on; what stands before and behind is of other records. */
  readonly counts: Uint16Array;
  readonly start: number;
  /** How many words the record has. */
  readonly length: number;
}

/** The terms of a question in their order, and what each is worth. */
interface Asking {
  readonly terms: readonly string[];
  readonly worth: Float64Array;
}

/** `worth` is what each term is worth, in the same order as the counts. */
export function bm25({ counts, start, length }: Held, worth: Float64Array, typicalLength: number): number {
  let sum = 0;
  for (let i = 0; i < worth.length; i++) {
    const count = counts[start + i]!;
    if (count === ONLY_IN_LABELS) sum += LABEL * worth[i]!;
    else if (count > 0) sum += worth[i]! * saturation(count, length, typicalLength);
  }
  return sum;
}

/** What the terms that it holds are worth together, however often they stand there. */
export function weightOf({ counts, start }: Held, worth: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < worth.length; i++) {
    const count = counts[start + i]!;
    if (count > 0) sum += count === ONLY_IN_LABELS ? LABEL * worth[i]! : worth[i]!;
  }
  return sum;
}

/** A capital letter within a sentence; at its beginning it says nothing. */
export const NAME = /(?<=[\p{L}\p{N},;:'’"]\s+["'(]?)\p{Lu}[\p{L}\p{N}]+/gu;
/** More of a question is not looked through. */
export const MAX_QUERY = 2_000;

/** The terms of whom or what a question names. */
export function namesIn(query: string): string[] {
  const names = query.slice(0, MAX_QUERY).match(NAME);
  // Looked for first, because most texts have none, and to tell the language takes an analysis of all words.
  return names === null || hasLargeNouns(query) ? [] : [...new Set(names.flatMap(analyze))];
}

/** The evidence of words, and what the names in them add. Who is named often is in many records, so a name weighs little by its rarity, though it says whom all is about. */
export function withNames(
  { counts, start }: Held,
  /** Where the names stand in the question. */
  names: readonly number[],
  text: number,
  whole: number,
): number {
  if (names.length === 0 || whole === 0) return text;
  let held = 0;
  for (const name of names) if (counts[start + name]! > 0) held++;
  return text + NAMES * whole * (held / names.length) * Math.min(1, text / (BESIDE_NAMES * whole));
}

/** What a full answer holds: the weight of the question's most telling words. */
export function fullWeight(weights: Weights): number {
  const telling = [...weights.values()].sort((a, b) => b - a).slice(0, TELLING_TERMS);
  return telling.reduce((sum, weight) => sum + weight, 0);
}

/** The share of the question's weight that the record answers, 0 to 1. Its length does not matter. */
export function coverage(weight: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, weight / whole);
}

/** The terms that its text holds, the rarest first. */
export function termsInText({ counts, start }: Held, { terms, worth }: Asking): string[] {
  return rarestFirst(terms, worth, (place) => {
    const count = counts[start + place]!;
    return count > 0 && count !== ONLY_IN_LABELS;
  });
}

/** The terms that only its labels hold, the rarest first. */
export function termsInLabels({ counts, start }: Held, { terms, worth }: Asking): string[] {
  return rarestFirst(terms, worth, (place) => counts[start + place] === ONLY_IN_LABELS);
}

function rarestFirst(
  terms: readonly string[],
  worth: Float64Array,
  isHeld: (place: number) => boolean,
): string[] {
  const places: number[] = [];
  for (let place = 0; place < terms.length; place++) if (isHeld(place)) places.push(place);
  return places.sort((a, b) => worth[b]! - worth[a]!).map((place) => terms[place]!);
}

/** The rarest of the terms, so many at most. */
export function rarest(terms: readonly string[], weights: Weights, most: number): string[] {
  return [...terms]
    .sort((a, b) => (weights.get(b) as number) - (weights.get(a) as number) || (a < b ? -1 : 1))
    .slice(0, most);
}
