/** The forward index: the words of each record by its row number, needed to remove a record and to score it exactly. */
import { withRoomFor } from './with-room-for.ts';

const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;

/** The words of many records, one record after the other. */
interface Page {
  readonly words: Uint32Array;
  readonly codes: Uint16Array;
}

const newPage = (size: number): Page => ({ words: new Uint32Array(size), codes: new Uint16Array(size) });

export interface DocumentWords {
  /** Numbers of the words, each once. */
  readonly words: readonly number[];
  readonly codes: readonly number[];
  /** By word: weighted frequencies that are too large for a code. */
  readonly large: ReadonlyMap<number, number> | undefined;
}

export class Documents {
  readonly #pages: Page[] = [];
  readonly #large = new Map<number, ReadonlyMap<number, number>>();
  #used = PAGE;
  #starts = new Float64Array(1_024);
  #counts = new Uint32Array(1_024);
  #partitions = new Uint32Array(1_024);
  #lengths = new Uint32Array(1_024);
  #live = 0;
  #lost = 0;

  /** By row number: how many words the record has, repeats and marks included; 0 where there is no record. */
  get lengths(): Uint32Array {
    return this.#lengths;
  }

  /** Pairs of a record and a word in it. */
  get entries(): number {
    return this.#live;
  }

  /** Entries of removed records, whose memory is not used again. */
  get lost(): number {
    return this.#lost;
  }

  has(rid: number): boolean {
    return rid < this.#lengths.length && this.#lengths[rid] !== 0;
  }

  partitionOf(rid: number): number {
    return this.#partitions[rid]!;
  }

  countOf(rid: number): number {
    return this.#counts[rid]!;
  }

  add(rid: number, partition: number, length: number, { words, codes, large }: DocumentWords): void {
    this.#starts = withRoomFor(this.#starts, rid);
    this.#counts = withRoomFor(this.#counts, rid);
    this.#partitions = withRoomFor(this.#partitions, rid);
    this.#lengths = withRoomFor(this.#lengths, rid);
    const start = this.#room(words.length);
    const page = this.#pages[Math.floor(start / PAGE)]!;
    page.words.set(words, start % PAGE);
    page.codes.set(codes, start % PAGE);
    this.#starts[rid] = start;
    this.#counts[rid] = words.length;
    this.#partitions[rid] = partition;
    this.#lengths[rid] = length;
    this.#live += words.length;
    if (large !== undefined) this.#large.set(rid, large);
  }

  /** The page that holds the words of a record. */
  pageOf(rid: number): Page {
    return this.#pages[Math.floor(this.#starts[rid]! / PAGE)]!;
  }

  /** Where on the page the words begin. */
  startOf(rid: number): number {
    return this.#starts[rid]! % PAGE;
  }

  visit(rid: number, visit: (word: number, code: number) => void): void {
    const { words, codes } = this.pageOf(rid);
    const from = this.startOf(rid);
    const to = from + this.#counts[rid]!;
    for (let i = from; i < to; i++) visit(words[i]!, codes[i]!);
  }

  /** Whether every word of the record has a code, and so an exact count in the text. */
  hasCodes(rid: number): boolean {
    return this.has(rid) && !this.#large.has(rid);
  }

  /** The weighted frequency of a word whose code is `LARGE`. */
  large(rid: number, word: number): number {
    return this.#large.get(rid)!.get(word)!;
  }

  /** Overwrites the words with zeros: nothing of a forgotten record stays in memory. */
  remove(rid: number): void {
    const start = this.startOf(rid);
    const count = this.#counts[rid]!;
    const { words, codes } = this.pageOf(rid);
    words.fill(0, start, start + count);
    codes.fill(0, start, start + count);
    this.#lengths[rid] = this.#counts[rid] = this.#partitions[rid] = 0;
    this.#large.delete(rid);
    this.#live -= count;
    this.#lost += count;
  }

  /** Reserves `count` adjacent places; more than a page get a page of their own. */
  #room(count: number): number {
    if (count > PAGE) {
      this.#pages.push(newPage(count));
      this.#used = PAGE;
    } else if (this.#used + count > PAGE) {
      this.#pages.push(newPage(PAGE));
      this.#used = 0;
    }
    const last = (this.#pages.length - 1) * PAGE;
    if (count > PAGE) return last;
    this.#used += count;
    return last + this.#used - count;
  }
}
