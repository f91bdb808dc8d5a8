/** The score that FTS5's bm25() gives, to the last bit, so that it does not matter which of the two indexes answers. */

const K1 = 1.2;
const B = 0.75;
/** Of words that most records hold. */
const LEAST_IDF = 1e-6;
/** Longer texts are rare enough to be computed each time. */
const TABLE = 4_096;

/** Sums over all records. */
export interface Totals {
  readonly records: number;
  /** Words of all records together. */
  readonly words: number;
}

/** The natural logarithm as SQLite has it: JavaScript's differs from it in the last bit now and then. */
export type Logarithm = (value: number) => number;

export class Bm25 {
  readonly #totals: Totals;
  readonly #ln: Logarithm;
  readonly #average: number;
  readonly #norms = new Float64Array(TABLE);
  /** For each length, what a word counts that stands there once: the usual case, without a division. */
  readonly once = new Float32Array(TABLE);
  /** To ask SQLite for a logarithm takes longer than to look up which it was. */
  readonly #idfs = new Map<number, number>();

  constructor(totals: Totals, ln: Logarithm) {
    this.#totals = totals;
    this.#ln = ln;
    this.#average = totals.words / totals.records;
    for (let length = 0; length < TABLE; length++) {
      const norm = this.#normOf(length);
      this.#norms[length] = norm;
      this.once[length] = contribution(1, 1, norm);
    }
  }

  /** What a word is worth that so many records hold. */
  idf(holders: number): number {
    const known = this.#idfs.get(holders);
    if (known !== undefined) return known;
    const idf = this.#idfOf(holders);
    this.#idfs.set(holders, idf);
    return idf;
  }

  #idfOf(holders: number): number {
    const idf = this.#ln((this.#totals.records - holders + 0.5) / (holders + 0.5));
    return idf <= 0 ? LEAST_IDF : idf;
  }

  /** How much the length of a record tells against it. */
  norm(length: number): number {
    return length < TABLE ? this.#norms[length]! : this.#normOf(length);
  }

  #normOf(length: number): number {
    return K1 * (1 - B + (B * length) / this.#average);
  }
}

/** What one word adds to the score of a record. */
export const contribution = (idf: number, frequency: number, norm: number): number =>
  idf * ((frequency * (K1 + 1)) / (frequency + norm));
