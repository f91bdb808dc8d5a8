/** Finds related words ("fly" and "flight") by comparing vectors of single words. */
import { analyze, isTelling } from '../../kernel/analysis.ts';
import { dot } from '../dot-product.ts';
import type { Embedder } from '../embedder.ts';
import type { Judged } from './judgement.ts';
import { wordsByStem } from './words-by-stem.ts';

/** How far the memory has the meaning of the term at this place of the question, 0 to 1. */
export type MeaningOf = (hit: Judged, place: number) => number;

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Only facts are compared, and those are short. */
const MOST_WORDS = 60;
const MOST_CHARACTERS = 1_000;
/** What unrelated words reach, and what words for the same thing reach. */
const UNRELATED = 0.15;
const SAME = 0.4;
/** Questions and facts repeat their words. */
const MOST_KEPT = 5_000;

export class WordMeaning {
  readonly #embedder: Embedder;
  readonly #vectors = new Map<string, Float32Array | null>();
  #model: string | undefined;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Undefined with a model that does not answer at once. */
  in(query: string): MeaningOf | undefined {
    if (this.#embedder.now('word') === undefined) return undefined;
    let written: ReadonlyMap<string, string> | undefined;
    const found = new Map<Judged, readonly Float32Array[]>();
    return (hit, place) => {
      const term = hit.asked.terms[place]!;
      written ??= wordsByStem(query);
      const vector = this.#vectorOf(written.get(term) ?? term);
      if (vector === null) return 0;
      let others = found.get(hit);
      if (others === undefined) {
        others = this.#wordsOf(hit.record.content);
        found.set(hit, others);
      }
      let best = UNRELATED;
      for (const other of others) best = Math.max(best, dot(other, vector));
      return Math.min(1, (best - UNRELATED) / (SAME - UNRELATED));
    };
  }

  #wordsOf(content: string): Float32Array[] {
    const words = content.slice(0, MOST_CHARACTERS).toLowerCase().match(WORDS) ?? [];
    return [...new Set(words)]
      .filter((word) => analyze(word).some(isTelling))
      .slice(0, MOST_WORDS)
      .flatMap((word) => this.#vectorOf(word) ?? []);
  }

  #vectorOf(given: string): Float32Array | null {
    const word = given.toLowerCase();
    const known = this.#vectors.get(word);
    if (known !== undefined) return known;
    const embedding = this.#embedder.now(word);
    if (embedding === undefined) return null;
    if (embedding.model !== this.#model || this.#vectors.size >= MOST_KEPT) this.#vectors.clear();
    this.#model = embedding.model;
    // A word that the model does not know has a vector of zeros.
    const vector = embedding.vector.some((value) => value !== 0) ? embedding.vector : null;
    this.#vectors.set(word, vector);
    return vector;
  }
}
