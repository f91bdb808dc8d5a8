/** Ranks texts that are not records with the same fusion of words and meaning. */
import { queryTerms } from '../../kernel/analysis.ts';
import { type Calibration, fuse } from './fusion.ts';
import { bm25, type Held, weigh, weightOf } from './text-evidence.ts';

export interface RankedText {
  /** Its words as `analyze` makes them, with spaces between them. */
  readonly words: string;
  /** Cosine with the question; null without a vector. */
  readonly similarity: number | null;
}

const NO_CALIBRATION: Calibration = { unrelated: 0, same: 1 };
const MAX_COUNT = 65_535;

/** One relevance per text, 0 to 1, in their order. The texts themselves are the population. */
export function rankTexts(
  query: string,
  texts: readonly RankedText[],
  calibration: Calibration = NO_CALIBRATION,
): number[] {
  const terms = queryTerms(query);
  const held = texts.map(({ words }) => countTerms(words, terms));
  const frequencies = new Map(
    terms.map((term, i) => [term, held.filter(({ counts }) => counts[i]! > 0).length]),
  );
  const weights = weigh(terms, frequencies, texts.length);
  const worth = Float64Array.from(terms, (term) => (frequencies.get(term) === 0 ? 0 : weights.get(term)!));
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const typicalLength = Math.max(1, held.reduce((sum, { length }) => sum + length, 0) / held.length);
  const evidence = {
    text: Float64Array.from(held, (each) => bm25(each, worth, typicalLength)),
    similarity: Float64Array.from(texts, ({ similarity }) => similarity ?? Number.NaN),
    coverage: Float64Array.from(held, (each) => (whole === 0 ? 0 : weightOf(each, worth) / whole)),
  };
  return [...fuse(evidence, calibration, whole)];
}

function countTerms(words: string, terms: readonly string[]): Held {
  const all = words === '' ? [] : words.split(' ');
  const counts = new Uint16Array(terms.length);
  const places = new Map(terms.map((term, i) => [term, i]));
  for (const word of all) {
    const place = places.get(word);
    if (place !== undefined && counts[place]! < MAX_COUNT) counts[place]!++;
  }
  return { counts, start: 0, length: all.length };
}
