/** What single words mean and how much they count, so that "fly" is answered by "flight": compares them by their vectors. */
import { analyze, isTelling } from '../../kernel/analysis.ts';
import type { WordVector } from '../../ports/embedding-model.ts';
import { dot } from '../dot-product.ts';
import type { Embedder } from '../embedder.ts';
import type { Judged } from './judgement.ts';
import { wordsByStem } from './words-by-stem.ts';

/** The words of one question. */
export interface WordSense {
  /** How much a term counts. */
  weightOf(term: string): number;
  /** How far the memory has the meaning of the term, 0 to 1. */
  meaningOf(hit: Judged, term: string): number;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Of a longer text or passage the first words are compared. */
const MOST_WORDS = 60;
const MOST_CHARACTERS = 1_000;
/** What unrelated words reach, and what words for the same thing reach. */
const UNRELATED = 0.15;
const SAME = 0.4;
/** Of a word that the model knows in pieces only, a similarity says little: pieces are shared by chance. */
const SAME_PIECES = 0.6;
/** Many pieces do not make a word more telling. */
const MOST_WEIGHT = 1.6;
/** Questions and facts repeat their words. */
const MOST_KEPT = 5_000;

export class WordMeaning {
  readonly #embedder: Embedder;
  readonly #known = new Map<string, WordVector>();
  /** Whether a word says something, by which its stop words are left out. */
  readonly #telling = new Map<string, boolean>();
  #model: string | undefined;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Undefined with a model that does not know single words. */
  in(query: string): WordSense | undefined {
    const { model } = this.#embedder;
    if (model?.wordNow === undefined) return undefined;
    if (model.id !== this.#model || this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#model = model.id;
    let written: ReadonlyMap<string, string> | undefined;
    const wordOf = (term: string) => {
      written ??= wordsByStem(query);
      return this.#word(written.get(term) ?? term);
    };
    // The hits of a question repeat their words, so each word has a number and is compared with each term once.
    const numbers = new Map<WordVector, number>();
    const words: WordVector[] = [];
    const numberOf = (word: WordVector): number => {
      let number = numbers.get(word);
      if (number === undefined) {
        number = words.push(word) - 1;
        numbers.set(word, number);
      }
      return number;
    };
    const found = new Map<Judged, readonly number[]>();
    const wordsOf = (hit: Judged): readonly number[] => {
      let known = found.get(hit);
      if (known === undefined) {
        const { passage } = hit.candidate.held.terms ?? {};
        known = this.#wordsIn(hit.record.content.slice(passage?.start, passage?.end)).map(numberOf);
        found.set(hit, known);
      }
      return known;
    };
    const compared = new Map<string, Float64Array>();
    const closest = (term: string, word: WordVector, hit: Judged): number => {
      const numbersOfHit = wordsOf(hit);
      let known = compared.get(term);
      if (known === undefined || known.length < words.length) {
        const more = new Float64Array(2 * words.length).fill(Number.NaN);
        if (known !== undefined) more.set(known);
        known = more;
        compared.set(term, known);
      }
      let best = 0;
      for (const number of numbersOfHit) {
        let similarity = known[number]!;
        if (Number.isNaN(similarity)) {
          similarity = dot(words[number]!.vector, word.vector);
          known[number] = similarity;
        }
        if (similarity > best) best = similarity;
      }
      return best;
    };
    return {
      weightOf: (term) => Math.min(MOST_WEIGHT, wordOf(term)?.weight ?? 1) ** 2,
      meaningOf: (hit, term) => {
        const word = wordOf(term);
        if (word === undefined) return 0;
        const best = closest(term, word, hit);
        if (!word.isKnown && best < SAME_PIECES) return 0;
        return Math.min(1, Math.max(0, (best - UNRELATED) / (SAME - UNRELATED)));
      },
    };
  }

  #wordsIn(content: string): WordVector[] {
    const words = content.slice(0, MOST_CHARACTERS).toLowerCase().match(WORDS) ?? [];
    return [...new Set(words)]
      .filter((word) => this.#isTelling(word))
      .slice(0, MOST_WORDS)
      .flatMap((word) => this.#word(word) ?? []);
  }

  #isTelling(word: string): boolean {
    let known = this.#telling.get(word);
    if (known === undefined) {
      if (this.#telling.size >= MOST_KEPT) this.#telling.clear();
      known = analyze(word).some(isTelling);
      this.#telling.set(word, known);
    }
    return known;
  }

  #word(given: string): WordVector | undefined {
    const word = given.toLowerCase();
    let known = this.#known.get(word);
    if (known === undefined) {
      try {
        known = this.#embedder.model?.wordNow?.(word);
      } catch {
        // Searching by words goes on without what the model knows of them.
        return undefined;
      }
      if (known !== undefined) this.#known.set(word, known);
    }
    return known;
  }
}
