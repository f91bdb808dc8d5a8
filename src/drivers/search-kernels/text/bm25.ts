/** BM25 scores, equal to FTS5's bm25() to the last bit, so that it does not matter which of the two indexes answers. */

const K1 = 1.2;
const B = 0.75;
/** The weight of words that more than half of the records contain, for which the formula gives 0 or less. */
const LEAST_IDF = 1e-6;
/** Up to this length, values are looked up; longer texts are rare enough to be computed each time. */
const TABLE = 4_096;

/** Sums over all records. */
export interface Totals {
  readonly records: number;
  /** Words of all records together, repeats included. */
  readonly words: number;
}

/** The natural logarithm of the engine: JavaScript's sometimes differs from it in the last bit. */
export type Logarithm = (value: number) => number;

export class Bm25 {
  readonly #totals: Totals;
  readonly #ln: Logarithm;
  readonly #average: number;
  /** By length of the record. */
  readonly norms = new Float64Array(TABLE);
  /** By length of the record: the contribution of a word that occurs once, for an idf of 1. Saves the division in the usual case. */
  readonly once = new Float32Array(TABLE);
  /** By number of records. Calling the engine for a logarithm takes longer than a lookup. */
  readonly #idfs = new Map<number, number>();

  constructor(totals: Totals, ln: Logarithm) {
    this.#totals = totals;
    this.#ln = ln;
    this.#average = totals.words / totals.records;
    for (let length = 0; length < TABLE; length++) {
      const norm = this.#normOf(length);
      this.norms[length] = norm;
      this.once[length] = contribution(1, 1, norm);
    }
  }

  /** The inverse document frequency of a word that `holders` records contain. */
  idf(holders: number): number {
    const known = this.#idfs.get(holders);
    if (known !== undefined) return known;
    const idf = this.#idfOf(holders);
    this.#idfs.set(holders, idf);
    return idf;
  }

  #idfOf(holders: number): number {
    const idf = this.#ln(rarityRatio(holders, this.#totals.records));
    return idf <= 0 ? LEAST_IDF : idf;
  }

  /** The part of the denominator that grows with the length of the record. */
  norm(length: number): number {
    return length < TABLE ? this.norms[length]! : this.#normOf(length);
  }

  #normOf(length: number): number {
    return K1 * (1 - B + (B * length) / this.#average);
  }
}

/** The number whose logarithm is the inverse document frequency. */
export const rarityRatio = (holders: number, records: number): number =>
  (records - holders + 0.5) / (holders + 0.5);

/** What one word adds to the score of a record. */
export const contribution = (idf: number, frequency: number, norm: number): number =>
  idf * ((frequency * (K1 + 1)) / (frequency + norm));
