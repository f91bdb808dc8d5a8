/** Adds up the scores of records word by word: rounded to 32 bits, and therefore fast. */
import { BestRecords } from './best-records.ts';
import { contribution } from './bm25.ts';
import { CODE_BITS, FREQUENCIES, LARGE, ONCE } from './frequency-codes.ts';
import { withRoomFor } from './with-room-for.ts';

const CODES = (1 << CODE_BITS) - 1;

/** What one word adds to the score of a record. */
export interface Parts {
  readonly idf: number;
  /** By length of the record: the contribution of a word that occurs once, for an idf of 1. */
  readonly once: Float32Array;
  /** By the same length: the part of the denominator that grows with it. */
  readonly norms: Float64Array;
  /** By row number of the record. */
  readonly lengths: Uint32Array;
  /** Computes long records and frequencies that are too large for a code. */
  readonly other: (rid: number, code: number) => number;
}

export class ScoreAccumulator {
  /** By row number of the record; all 0 between two searches. */
  #scores = new Float32Array(1_024);
  /** Row numbers of the records that have a score; not kept in dense mode. */
  #met = new Uint32Array(1_024);
  #count = 0;
  #records = 0;
  #isDense = false;
  readonly #best = new BestRecords();

  /** Starts a search over records up to this row number. */
  begin(records: number): void {
    this.#scores = withRoomFor(this.#scores, records);
    this.#met = withRoomFor(this.#met, records);
    this.#records = records;
    this.#isDense = false;
    this.#count = 0;
  }

  /** Switches to dense mode: so many records have a score that scanning all of them is faster than listing each. */
  goDense(): void {
    this.#isDense = true;
    this.#count = this.#records;
  }

  /** How many records a pass over all scores has to visit. */
  get size(): number {
    return this.#count;
  }

  add(page: Uint32Array, from: number, to: number, parts: Parts): void {
    if (this.#isDense) addAll(page, from, to, parts, this.#scores);
    else this.#count = addNoting(page, from, to, parts, this.#scores, this.#met, this.#count);
  }

  /** The score of the `limit`-th best record; 0 when there are fewer. */
  threshold(limit: number): number {
    const best = this.#best.begin(limit);
    const [scores, met, isDense, count] = [this.#scores, this.#met, this.#isDense, this.#count];
    let worst = 0;
    for (let i = 0; i < count; i++) {
      const score = scores[isDense ? i : met[i]!]!;
      if (score <= worst) continue;
      best.offer(score, i);
      worst = Math.max(0, best.worst);
    }
    return worst;
  }

  countFrom(least: number): number {
    const [scores, met, isDense, all] = [this.#scores, this.#met, this.#isDense, this.#count];
    let count = 0;
    for (let i = 0; i < all; i++) if (scores[isDense ? i : met[i]!]! >= least) count++;
    return count;
  }

  /** Visits all records with at least this score, which must be above 0, and resets the scores. */
  finish(least: number, visit: (rid: number) => void): void {
    const [scores, met, count] = [this.#scores, this.#met, this.#count];
    if (this.#isDense) {
      for (let rid = 0; rid < count; rid++) if (scores[rid]! >= least) visit(rid);
      scores.fill(0, 0, count);
      return;
    }
    for (let i = 0; i < count; i++) {
      const rid = met[i]!;
      if (scores[rid]! >= least) visit(rid);
      scores[rid] = 0;
    }
  }
}

function addAll(
  page: Uint32Array,
  from: number,
  to: number,
  { idf, once, norms, lengths, other }: Parts,
  scores: Float32Array,
): void {
  const known = once.length;
  for (let i = from; i < to; i++) {
    const value = page[i]!;
    const rid = value >>> CODE_BITS;
    const code = value & CODES;
    const length = lengths[rid]!;
    if (length >= known || code === LARGE) scores[rid]! += other(rid, code);
    else if (code === ONCE) scores[rid]! += idf * once[length]!;
    else scores[rid]! += contribution(idf, FREQUENCIES[code]!, norms[length]!);
  }
}

function addNoting(
  page: Uint32Array,
  from: number,
  to: number,
  { idf, once, norms, lengths, other }: Parts,
  scores: Float32Array,
  met: Uint32Array,
  already: number,
): number {
  const known = once.length;
  let count = already;
  for (let i = from; i < to; i++) {
    const value = page[i]!;
    const rid = value >>> CODE_BITS;
    const code = value & CODES;
    const length = lengths[rid]!;
    const score = scores[rid]!;
    if (score === 0) met[count++] = rid;
    if (length >= known || code === LARGE) scores[rid] = score + other(rid, code);
    else if (code === ONCE) scores[rid] = score + idf * once[length]!;
    else scores[rid] = score + contribution(idf, FREQUENCIES[code]!, norms[length]!);
  }
  return count;
}
