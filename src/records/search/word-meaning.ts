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
    const found = new Map<Judged, readonly WordVector[]>();
    const wordsOf = (hit: Judged): readonly WordVector[] => {
      let words = found.get(hit);
      if (words === undefined) {
        const { passage } = hit.candidate.held.terms ?? {};
        words = this.#wordsIn(hit.record.content.slice(passage?.start, passage?.end));
        found.set(hit, words);
      }
      return words;
    };
    return {
      weightOf: (term) => Math.min(MOST_WEIGHT, wordOf(term)?.weight ?? 1) ** 2,
      meaningOf: (hit, term) => {
        const word = wordOf(term);
        if (word === undefined) return 0;
        let best = 0;
        for (const { vector } of wordsOf(hit)) best = Math.max(best, dot(vector, word.vector));
        if (!word.isKnown && best < SAME_PIECES) return 0;
        return Math.min(1, Math.max(0, (best - UNRELATED) / (SAME - UNRELATED)));
      },
    };
  }

  #wordsIn(content: string): WordVector[] {
    const words = content.slice(0, MOST_CHARACTERS).toLowerCase().match(WORDS) ?? [];
    return [...new Set(words)]
      .filter((word) => analyze(word).some(isTelling))
      .slice(0, MOST_WORDS)
      .flatMap((word) => this.#word(word) ?? []);
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
