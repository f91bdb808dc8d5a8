/** Finds the best records for some words, without looking at common words where they cannot change the outcome. */
import { BestRecords, type Hit } from './best-records.ts';
import { Bm25, contribution, type Logarithm } from './bm25.ts';
import { FREQUENCIES } from './frequencies.ts';
import { withRoomFor } from './growth.ts';
import { Tally } from './tally.ts';
import type { WordIndex } from './word-index.ts';

/** First sums are rounded to 32 bits at each step; what that can make of them is less than this part. */
const ROUNDING = 1e-4;
/** Scoring a record by itself costs as much as so many steps in the list of a word. */
const STEPS_PER_RECORD = 16;
/** When a look found that common words still matter, the next is due when so much less is ahead. */
const WORTH_A_LOOK = 0.75;
/** Lower than any score. */
const LEAST_SCORE = 1e-30;

interface AskedWord {
  readonly number: number;
  readonly idf: number;
  readonly lists: readonly number[];
  /** Records in the lists. */
  readonly count: number;
  /** It adds no more than this to any score. */
  readonly most: number;
}

export interface Question {
  readonly words: readonly AskedWord[];
  readonly bm25: Bm25;
}

export class Ranker {
  readonly #index: WordIndex;
  readonly #ln: Logarithm;
  #bm25: Bm25 | undefined;
  #records = 0;
  #length = 0;
  readonly #tally = new Tally();
  /** By number of a word: its place in the question, from 1. All 0 between two searches. */
  #places = new Uint16Array(1_024);
  #parts = new Float64Array(64);

  constructor(index: WordIndex, ln: Logarithm) {
    this.#index = index;
    this.#ln = ln;
  }

  /** `words` must differ from each other. */
  ask(words: readonly string[], partitions: readonly string[] | undefined): Question {
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

  /** The best ones, exactly as if every record had been looked at. */
  best(question: Question, limit: number): Hit[] {
    const rarestFirst = question.words.filter(({ count }) => count > 0).sort((a, b) => b.idf - a.idf);
    const tally = this.#tally;
    const records = this.#index.documents.lengths.length;
    tally.begin(records);
    let rest = rarestFirst.reduce((sum, { most }) => sum + most, 0);
    let steps = rarestFirst.reduce((sum, { count }) => sum + count, 0);
    let [walked, lastRest] = [0, Number.POSITIVE_INFINITY];
    for (const word of rarestFirst) {
      // A look costs as much as it has scores to look at, and cannot help while more is ahead than was found so far.
      if (steps > tally.size && rest < walked && rest < lastRest * WORTH_A_LOOK) {
        lastRest = rest;
        const threshold = tally.threshold(limit);
        const isClosed = rest * (1 + ROUNDING) < threshold * (1 - ROUNDING);
        if (isClosed && tally.countFrom(threshold - rest) * STEPS_PER_RECORD < steps) break;
      }
      if (steps > records / 2 && word.count + tally.size > records / 8) tally.meetAll();
      this.#walk(word, question.bm25);
      walked += word.most;
      steps -= word.count;
      rest -= word.most;
    }
    return this.#choose(question, limit, Math.max(0, rest));
  }

  /** The best of these records, as far as they hold any of the words. */
  among(question: Question, rids: readonly number[], limit: number): Hit[] {
    const best = new BestRecords(limit);
    this.#placing(question, () => {
      for (const rid of rids) {
        const score = this.#index.documents.has(rid) ? this.#exact(rid, question) : 0;
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

  /** Adds what a word contributes. */
  #walk({ number, idf, lists }: AskedWord, bm25: Bm25): void {
    const { documents, lists: all } = this.#index;
    const { lengths } = documents;
    const other = (rid: number, code: number): number =>
      contribution(idf, FREQUENCIES[code]! || documents.large(rid, number), bm25.norm(lengths[rid]!));
    const parts = { idf, once: bm25.once, lengths, other };
    for (const list of lists) all.visit(list, (page, from, to) => this.#tally.add(page, from, to, parts));
  }

  /** `rest` is what any of those that were met may still be worth. */
  #choose(question: Question, limit: number, rest: number): Hit[] {
    const least = this.#tally.threshold(limit) * (1 - ROUNDING) - rest * (1 + ROUNDING);
    const best = new BestRecords(limit);
    this.#placing(question, () => {
      this.#tally.finish(Math.max(least, LEAST_SCORE), (rid) => best.offer(this.#exact(rid, question), rid));
    });
    return best.sorted();
  }

  #placing({ words }: Question, work: () => void): void {
    this.#places = withRoomFor(this.#places, this.#index.dictionary.size);
    this.#parts = withRoomFor(this.#parts, words.length);
    words.forEach(({ number }, i) => {
      this.#places[number] = i + 1;
    });
    work();
    for (const { number } of words) this.#places[number] = 0;
  }

  /** The score of a record, added up in the order of the question, as FTS5 does. */
  #exact(rid: number, { words, bm25 }: Question): number {
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
