/** Finds the best records for the words of a query, and skips common words where they cannot change the result. */
import { BestRecords, type Hit } from './best-records.ts';
import { Bm25, contribution, type Logarithm } from './bm25.ts';
import { FREQUENCIES } from './frequency-codes.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { ScoreAccumulator } from './score-accumulator.ts';
import { withRoomFor } from './with-room-for.ts';

/** The first sums are rounded to 32 bits at each step; the relative error stays below this. */
const ROUNDING = 1e-4;
/** Scoring one record exactly costs as much as so many steps through the list of a word. */
const STEPS_PER_RECORD = 16;
/** After a check that could not skip the remaining words, the next one waits until their bound is down to this part. */
const WORTH_A_CHECK = 0.75;
/** Lower than any score. */
const LEAST_SCORE = 1e-30;

interface AskedWord {
  readonly number: number;
  readonly idf: number;
  readonly lists: readonly number[];
  /** Entries in the lists together. */
  readonly count: number;
  /** The most that this word adds to any score. */
  readonly most: number;
}

export interface PreparedQuery {
  readonly words: readonly AskedWord[];
  readonly bm25: Bm25;
}

export class Bm25Ranker {
  readonly #index: InvertedIndex;
  readonly #ln: Logarithm;
  #bm25: Bm25 | undefined;
  #records = 0;
  #length = 0;
  readonly #sums = new ScoreAccumulator();
  /** By number of a word: its place in the query, from 1. All 0 between two searches. */
  #places = new Uint16Array(1_024);
  #parts = new Float64Array(64);
  readonly #best = new BestRecords();

  constructor(index: InvertedIndex, ln: Logarithm) {
    this.#index = index;
    this.#ln = ln;
  }

  /** `words` must be distinct. */
  prepare(words: readonly string[], partitions: readonly string[] | undefined): PreparedQuery {
    const index = this.#index;
    const bm25 = this.#upToDate();
    const wanted = index.partitions(partitions);
    const asked = words.flatMap((word): AskedWord[] => {
      const number = index.dictionary.find(word);
      if (number === undefined) return [];
      const idf = bm25.idf(index.dictionary.recordsWith(word));
      const lists: number[] = [];
      let [count, most] = [0, 0];
      for (const partition of wanted) {
        const list = partition.get(number);
        if (list === undefined) continue;
        lists.push(list);
        count += index.lists.countOf(list);
        most = Math.max(most, contribution(idf, index.highestIn(list), bm25.norm(index.shortestIn(list))));
      }
      return [{ number, idf, lists, count, most }];
    });
    return { words: asked, bm25 };
  }

  /** The best records, exactly as if every record had been scored. */
  best(query: PreparedQuery, limit: number): Hit[] {
    const rarestFirst = query.words.filter(({ count }) => count > 0).sort((a, b) => b.idf - a.idf);
    const sums = this.#sums;
    const records = this.#index.documents.lengths.length;
    sums.begin(records);
    let rest = rarestFirst.reduce((sum, { most }) => sum + most, 0);
    let steps = rarestFirst.reduce((sum, { count }) => sum + count, 0);
    let [walked, lastRest] = [0, Number.POSITIVE_INFINITY];
    for (const word of rarestFirst) {
      // A check visits every score, and cannot succeed while the remaining words can add more than the words before them.
      if (steps > sums.size && rest < walked && rest < lastRest * WORTH_A_CHECK) {
        lastRest = rest;
        const threshold = sums.threshold(limit);
        const isClosed = rest * (1 + ROUNDING) < threshold * (1 - ROUNDING);
        if (isClosed && sums.countFrom(threshold - rest) * STEPS_PER_RECORD < steps) break;
      }
      if (steps > records / 2 && word.count + sums.size > records / 8) sums.goDense();
      this.#walk(word, query.bm25);
      walked += word.most;
      steps -= word.count;
      rest -= word.most;
    }
    return this.#choose(query, limit, Math.max(0, rest));
  }

  /** The best of these records, of those that contain any of the words. */
  among(query: PreparedQuery, rids: readonly number[], limit: number): Hit[] {
    const best = this.#best.begin(limit);
    this.#placing(query, () => {
      for (const rid of rids) {
        const score = this.#index.documents.has(rid) ? this.#exact(rid, query) : 0;
        if (score > 0) best.offer(score, rid);
      }
    });
    return best.sorted();
  }

  #upToDate(): Bm25 {
    const { records, words } = this.#index;
    if (this.#bm25 === undefined || this.#records !== records || this.#length !== words) {
      this.#bm25 = new Bm25({ records, words }, this.#ln);
      this.#records = records;
      this.#length = words;
    }
    return this.#bm25;
  }

  /** Adds the contribution of a word to every record that contains it. */
  #walk({ number, idf, lists }: AskedWord, bm25: Bm25): void {
    const { documents, lists: all } = this.#index;
    const { lengths } = documents;
    const other = (rid: number, code: number): number =>
      contribution(idf, FREQUENCIES[code]! || documents.large(rid, number), bm25.norm(lengths[rid]!));
    const parts = { idf, once: bm25.once, norms: bm25.norms, lengths, other };
    for (const list of lists) all.visit(list, (page, from, to) => this.#sums.add(page, from, to, parts));
  }

  /** `rest` is the most that the words not yet added can add to any score. */
  #choose(query: PreparedQuery, limit: number, rest: number): Hit[] {
    const least = this.#sums.threshold(limit) * (1 - ROUNDING) - rest * (1 + ROUNDING);
    const best = this.#best.begin(limit);
    this.#placing(query, () => {
      this.#sums.finish(Math.max(least, LEAST_SCORE), (rid) => best.offer(this.#exact(rid, query), rid));
    });
    return best.sorted();
  }

  #placing({ words }: PreparedQuery, work: () => void): void {
    this.#places = withRoomFor(this.#places, this.#index.dictionary.size);
    this.#parts = withRoomFor(this.#parts, words.length);
    words.forEach(({ number }, i) => {
      this.#places[number] = i + 1;
    });
    work();
    for (const { number } of words) this.#places[number] = 0;
  }

  /** The score of a record, added up in the order of the query, as FTS5 does. */
  #exact(rid: number, { words, bm25 }: PreparedQuery): number {
    const { documents } = this.#index;
    const [places, parts] = [this.#places, this.#parts];
    const norm = bm25.norm(documents.lengths[rid]!);
    const page = documents.pageOf(rid);
    const from = documents.startOf(rid);
    const to = from + documents.countOf(rid);
    for (let i = from; i < to; i++) {
      const number = page.words[i]!;
      const place = places[number]!;
      if (place === 0) continue;
      const frequency = FREQUENCIES[page.codes[i]!]! || documents.large(rid, number);
      parts[place - 1] = contribution(words[place - 1]!.idf, frequency, norm);
    }
    let score = 0;
    for (let i = 0; i < words.length; i++) {
      score += parts[i]!;
      parts[i] = 0;
    }
    return score;
  }
}
