/** The inverted index in memory: for each partition and word, the list of records that contain it. */

import { Dictionary } from './dictionary.ts';
import { Documents } from './documents.ts';
import { CODE_BITS, codeFor, FREQUENCIES, LARGE, weighted } from './frequency-codes.ts';
import { PostingLists } from './posting-lists.ts';
import { withRoomFor } from './with-room-for.ts';

/** An entry of a list has 32 bits: the row number of a record, and a frequency code. */
export const MAX_RECORDS = 1 << (32 - CODE_BITS);

/** In the name of a partition: a name that ends with it represents all partitions whose names begin like this. */
export const ALL_BELOW = '\0';

/** Occurrences in the labels are counted in the upper bits of the same number as those in the text. */
const IN_LABELS = 2 ** 26;

/** The words of a record: those of its text, and those of its labels (category and tags). */
export interface Words {
  readonly body: readonly string[];
  readonly labels: readonly string[];
}

export class InvertedIndex {
  readonly lists = new PostingLists();
  readonly documents = new Documents();
  readonly dictionary = new Dictionary();
  readonly #partitionNumbers = new Map<string, number>();
  /** By the part of their names up to the mark: the partitions below it. */
  readonly #below = new Map<string, number[]>();
  /** For each partition, the list of each word. */
  readonly #partitions: Map<number, number>[] = [];
  /** By list: the highest frequency in it, and the length of its shortest record. They bound every score that the list can add. */
  #highest = new Float32Array(256);
  #shortest = new Uint32Array(256);
  /** How many records each partition holds. */
  readonly #sizes: number[] = [];
  #records = 0;
  #words = 0;

  /** How many records it holds. */
  get records(): number {
    return this.#records;
  }

  /** How many words the records have together, repeats and marks included. */
  get words(): number {
    return this.#words;
  }

  /** The partitions of these names that exist; undefined: all. */
  partitions(names: readonly string[] | undefined): ReadonlyMap<number, number>[] {
    if (names === undefined) return this.#partitions;
    return this.#numbersOf(names).map((number) => this.#partitions[number]!);
  }

  /** How many records the partitions of these names hold together; undefined: all. */
  recordsIn(names: readonly string[] | undefined): number {
    if (names === undefined) return this.#records;
    return this.#numbersOf(names).reduce((sum, number) => sum + this.#sizes[number]!, 0);
  }

  /** Says how many records of these partitions contain a word. */
  counterIn(names: readonly string[] | undefined): (word: string) => number {
    const partitions = this.partitions(names);
    return (word) => {
      const number = this.dictionary.find(word);
      if (number === undefined) return 0;
      let count = 0;
      for (const partition of partitions) {
        const list = partition.get(number);
        if (list !== undefined) count += this.lists.countOf(list);
      }
      return count;
    };
  }

  highestIn(list: number): number {
    return this.#highest[list]!;
  }

  shortestIn(list: number): number {
    return this.#shortest[list]!;
  }

  /** Adds or replaces a record; `marks` are counted as words of its length. */
  put(rid: number, partitionName: string, { body, labels }: Words, marks: number): void {
    const occurrences = new Map<string, number>();
    for (const word of body) occurrences.set(word, (occurrences.get(word) ?? 0) + 1);
    for (const word of labels) occurrences.set(word, (occurrences.get(word) ?? 0) + IN_LABELS);
    const partition = this.#partitionNumber(partitionName);
    const length = body.length + labels.length + marks;
    if (this.documents.has(rid)) {
      if (this.#isSame(rid, partition, length, occurrences)) return;
      this.remove([rid]);
    }
    this.#add(rid, partition, length, occurrences);
  }

  /** Removing many records at once costs one pass through each list concerned. */
  remove(rids: Iterable<number>): void {
    const { documents } = this;
    const touched = new Map<number, Set<number>>();
    for (const rid of rids) {
      if (!documents.has(rid)) continue;
      const partition = documents.partitionOf(rid);
      const words = touched.get(partition) ?? new Set();
      touched.set(partition, words);
      documents.visit(rid, (word) => {
        words.add(word);
        this.dictionary.give(word);
      });
      this.#records--;
      this.#sizes[partition]!--;
      this.#words -= documents.lengths[rid]!;
      documents.remove(rid);
    }
    const { lengths } = documents;
    const isKept = (value: number): boolean => lengths[value >>> CODE_BITS] !== 0;
    for (const [partition, words] of touched) {
      const lists = this.#partitions[partition]!;
      for (const word of words) if (!this.lists.sweep(lists.get(word)!, isKept)) lists.delete(word);
    }
  }

  #numbersOf(names: readonly string[]): number[] {
    return names.flatMap((name) => {
      if (name.endsWith(ALL_BELOW)) return this.#below.get(name) ?? [];
      return this.#partitionNumbers.get(name) ?? [];
    });
  }

  #partitionNumber(name: string): number {
    let number = this.#partitionNumbers.get(name);
    if (number === undefined) {
      number = this.#partitions.push(new Map()) - 1;
      this.#sizes.push(0);
      this.#partitionNumbers.set(name, number);
      const end = name.indexOf(ALL_BELOW) + 1;
      if (end === 0) return number;
      const above = name.slice(0, end);
      const below = this.#below.get(above);
      if (below === undefined) this.#below.set(above, [number]);
      else below.push(number);
    }
    return number;
  }

  #isSame(rid: number, partition: number, length: number, occurrences: ReadonlyMap<string, number>): boolean {
    const { documents, dictionary } = this;
    if (documents.partitionOf(rid) !== partition || documents.lengths[rid] !== length) return false;
    if (documents.countOf(rid) !== occurrences.size) return false;
    const codes = new Map<number | undefined, number>();
    for (const [word, count] of occurrences) codes.set(dictionary.find(word), codeOf(count));
    let same = true;
    documents.visit(rid, (word, code) => {
      if (code === LARGE || codes.get(word) !== code) same = false;
    });
    return same;
  }

  #add(rid: number, partition: number, length: number, occurrences: ReadonlyMap<string, number>): void {
    const lists = this.#partitions[partition]!;
    const words: number[] = [];
    const codes: number[] = [];
    let large: Map<number, number> | undefined;
    for (const [text, count] of occurrences) {
      const word = this.dictionary.take(text);
      const code = codeOf(count);
      words.push(word);
      codes.push(code);
      let frequency = FREQUENCIES[code]!;
      if (code === LARGE) {
        frequency = weighted(count % IN_LABELS, Math.floor(count / IN_LABELS));
        large ??= new Map();
        large.set(word, frequency);
      }
      let list = lists.get(word);
      if (list === undefined) {
        list = this.#newList();
        lists.set(word, list);
      }
      this.lists.push(list, ((rid << CODE_BITS) | code) >>> 0);
      this.#highest[list] = Math.max(this.#highest[list]!, Math.ceil(frequency));
      this.#shortest[list] = Math.min(this.#shortest[list]!, length);
    }
    this.documents.add(rid, partition, length, { words, codes, large });
    this.#records++;
    this.#sizes[partition]!++;
    this.#words += length;
  }

  #newList(): number {
    const list = this.lists.create();
    this.#highest = withRoomFor(this.#highest, list);
    this.#shortest = withRoomFor(this.#shortest, list);
    this.#highest[list] = 0;
    this.#shortest[list] = 0xffff_ffff;
    return list;
  }
}

function codeOf(count: number): number {
  return codeFor(count % IN_LABELS, Math.floor(count / IN_LABELS));
}
