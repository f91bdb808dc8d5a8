/** Finds the best records for some words, without looking at common words where they cannot change the outcome. */
import { BestRecords, type Hit } from './best-records.ts';
import { Bm25, contribution, type Logarithm } from './bm25.ts';
import { CODE_BITS, FREQUENCIES, ONCE } from './frequencies.ts';
import { withRoomFor } from './growth.ts';
import type { WordIndex } from './word-index.ts';

/** First sums are rounded to 32 bits at each step; what that can make of them is less than this part. */
const ROUNDING = 1e-4;
/** Scoring a record by itself costs as much as so many steps in the list of a word. */
const STEPS_PER_RECORD = 24;

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
  /** By row number; all 0 between two searches. */
  #scores = new Float32Array(1_024);
  #met = new Uint32Array(1_024);
  /** By number of a word: its place in the question, from 1. All 0 between two searches. */
  #places = new Uint16Array(1_024);
  #parts = new Float64Array(64);

  constructor(index: WordIndex, ln: Logarithm) {
    this.#index = index;
    this.#ln = ln;
  }

  /** `words` must differ from each other. */
  ask(words: readonly string[], silos: readonly string[] | undefined): Question {
    const index = this.#index;
    const bm25 = this.#upToDate();
    const wanted = index.silos(silos);
    const asked = words.flatMap((word): AskedWord[] => {
      const number = index.dictionary.find(word);
      if (number === undefined) return [];
      const idf = bm25.idf(index.dictionary.recordsWith(word));
      const lists: number[] = [];
      let [count, most] = [0, 0];
      for (const silo of wanted) {
        const list = silo.get(number);
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
    let rest = rarestFirst.reduce((sum, { most }) => sum + most, 0);
    let steps = rarestFirst.reduce((sum, { count }) => sum + count, 0);
    this.#scores = withRoomFor(this.#scores, this.#index.documents.lengths.length);
    this.#met = withRoomFor(this.#met, this.#index.documents.lengths.length);
    let [met, walked] = [0, 0];
    for (const word of rarestFirst) {
      // Worth a look only when much is ahead, compared with what the look costs.
      if (met >= limit && steps > met && (walked > met / 2 || word.count > met)) {
        const threshold = this.#threshold(met, limit);
        walked = 0;
        const isClosed = rest * (1 + ROUNDING) < threshold;
        if (isClosed && this.#countFrom(threshold - rest, met) * STEPS_PER_RECORD < steps) break;
      }
      met = this.#walk(word, question.bm25, met);
      walked += word.count;
      steps -= word.count;
      rest -= word.most;
    }
    return this.#choose(question, met, limit, Math.max(0, rest));
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

  /** Adds what a word contributes; answers how many records were met so far. */
  #walk({ number, idf, lists }: AskedWord, bm25: Bm25, already: number): number {
    const { documents } = this.#index;
    const { lengths } = documents;
    const { once } = bm25;
    const [scores, met] = [this.#scores, this.#met];
    /** Parts that are not simple: those of words that stand there more than once, and of long records. */
    const partOf = (rid: number, code: number): number =>
      contribution(idf, FREQUENCIES[code]! || documents.large(rid, number), bm25.norm(lengths[rid]!));
    let count = already;
    for (const list of lists) {
      this.#index.lists.visit(list, (page, from, to) => {
        count = addParts(page, from, to, idf, once, lengths, scores, met, count, partOf);
      });
    }
    return count;
  }

  /** The lowest score among the best ones so far. */
  #threshold(met: number, limit: number): number {
    const best = new BestRecords(limit);
    let worst = best.worst;
    for (let i = 0; i < met; i++) {
      const score = this.#scores[this.#met[i]!]!;
      if (score <= worst) continue;
      best.offer(score, i);
      worst = best.worst;
    }
    return worst;
  }

  #countFrom(least: number, met: number): number {
    let count = 0;
    for (let i = 0; i < met; i++) if (this.#scores[this.#met[i]!]! >= least) count++;
    return count;
  }

  /** `rest` is what any of those that were met may still be worth. */
  #choose(question: Question, met: number, limit: number, rest: number): Hit[] {
    const least = (this.#threshold(met, limit) - rest) * (1 - ROUNDING) - Number.MIN_VALUE;
    const best = new BestRecords(limit);
    this.#placing(question, () => {
      for (let i = 0; i < met; i++) {
        const rid = this.#met[i]!;
        if (this.#scores[rid]! >= least) best.offer(this.#exact(rid, question), rid);
        this.#scores[rid] = 0;
      }
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
    documents.visit(rid, (number, code) => {
      const place = places[number]!;
      if (place === 0) return;
      const frequency = FREQUENCIES[code]! || documents.large(rid, number);
      parts[place - 1] = contribution(words[place - 1]!.idf, frequency, norm);
    });
    let score = 0;
    for (let i = 0; i < words.length; i++) {
      score += parts[i]!;
      parts[i] = 0;
    }
    return score;
  }
}

/** The innermost loop; all it needs is in its parameters, which the compiler keeps in registers. */
function addParts(
  page: Uint32Array,
  from: number,
  to: number,
  idf: number,
  once: Float32Array,
  lengths: Uint32Array,
  scores: Float32Array,
  met: Uint32Array,
  already: number,
  partOf: (rid: number, code: number) => number,
): number {
  const known = once.length;
  let count = already;
  for (let i = from; i < to; i++) {
    const value = page[i]!;
    const rid = value >>> CODE_BITS;
    const code = value & ((1 << CODE_BITS) - 1);
    const length = lengths[rid]!;
    const part = code === ONCE && length < known ? idf * once[length]! : partOf(rid, code);
    const score = scores[rid]!;
    if (score === 0) met[count++] = rid;
    scores[rid] = score + part;
  }
  return count;
}
