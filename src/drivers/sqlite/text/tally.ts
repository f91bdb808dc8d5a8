/** Scores of records while they are added up, word by word: rounded, but quick. */
import { BestRecords } from './best-records.ts';
import { CODE_BITS, ONCE } from './frequencies.ts';
import { withRoomFor } from './growth.ts';

const CODES = (1 << CODE_BITS) - 1;

/** What the word of a list adds to the score of a record. */
export interface Parts {
  readonly idf: number;
  /** By length, where it stands once. */
  readonly once: Float32Array;
  /** By row number. */
  readonly lengths: Uint32Array;
  /** All that is not as simple as that. */
  readonly other: (rid: number, code: number) => number;
}

export class Tally {
  /** By row number; all 0 between two searches. */
  #scores = new Float32Array(1_024);
  /** The records that have a score, as long as note is taken of them. */
  #met = new Uint32Array(1_024);
  #count = 0;
  #records = 0;
  #isDense = false;

  /** For records up to a row number. */
  begin(records: number): void {
    this.#scores = withRoomFor(this.#scores, records);
    this.#met = withRoomFor(this.#met, records);
    this.#records = records;
    this.#isDense = false;
    this.#count = 0;
  }

  /** From here on so many have a score that it is quicker to look at all than to take note of each. */
  meetAll(): void {
    this.#isDense = true;
    this.#count = this.#records;
  }

  /** How many records a look at all scores has to look at. */
  get size(): number {
    return this.#count;
  }

  add(page: Uint32Array, from: number, to: number, parts: Parts): void {
    if (this.#isDense) addAll(page, from, to, parts, this.#scores);
    else this.#count = addNoting(page, from, to, parts, this.#scores, this.#met, this.#count);
  }

  /** The lowest score among so many best ones; 0 when there are not as many. */
  threshold(limit: number): number {
    const best = new BestRecords(limit);
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

  /** Visits all that have at least this score, which must be more than 0, and ends. */
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
  { idf, once, lengths, other }: Parts,
  scores: Float32Array,
): void {
  const known = once.length;
  for (let i = from; i < to; i++) {
    const value = page[i]!;
    const rid = value >>> CODE_BITS;
    const code = value & CODES;
    const length = lengths[rid]!;
    scores[rid]! += code === ONCE && length < known ? idf * once[length]! : other(rid, code);
  }
}

function addNoting(
  page: Uint32Array,
  from: number,
  to: number,
  { idf, once, lengths, other }: Parts,
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
    scores[rid] = score + (code === ONCE && length < known ? idf * once[length]! : other(rid, code));
  }
  return count;
}
