/** The words of records in memory: answers searches by words as an engine would, whichever driver feeds it. */

import type { MemoryRecord } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { TermStatistics, TermTable, TextCandidate, TextQuery } from '../../ports/record-store.ts';
import { marksOf, splitWords } from '../common/record-words.ts';
import type { Hit } from '../search-kernels/text/best-records.ts';
import { type Logarithm, rarityRatio } from '../search-kernels/text/bm25.ts';
import { Bm25Ranker } from '../search-kernels/text/bm25-ranker.ts';
import { InvertedIndex, MAX_RECORDS } from '../search-kernels/text/inverted-index.ts';
import { TermCounter } from '../search-kernels/text/term-counter.ts';
import { partitionOf, partitionsFor } from './partitions.ts';

/** Asked for in addition, because a few hits may have expired. */
const SPARE = 16;
/** After the filter refused so many hits, asking it first for all records that it allows is faster. */
const MOST_REFUSED = 512;
const GROWTH = 4;
/** Entries of removed records; with more than this, and more than are in use, everything is read again. */
const MOST_LOST = 100_000;

export type WordRecord = Pick<
  MemoryRecord,
  'agent' | 'user' | 'scope' | 'source' | 'category' | 'content' | 'tags'
>;

export interface WordRow {
  readonly rid: number;
  /** Undefined when it was forgotten or does not exist. */
  readonly record: WordRecord | undefined;
}

/** What a search may find, as the driver knows it. */
export interface Candidates {
  /** A record, if it is live and passes. */
  readonly read: (rid: number) => MemoryRecord | undefined;
  /** All that pass, if the driver knows that they are only a few. */
  readonly few?: () => readonly number[] | undefined;
  readonly all: () => readonly number[];
}

export class ResidentWords {
  readonly index = new InvertedIndex();
  readonly #ranker: Bm25Ranker;
  readonly #counter = new TermCounter(this.index);

  constructor(ln: Logarithm) {
    this.#ranker = new Bm25Ranker(this.index, ln);
  }

  /** Pairs of a record and a word in it. */
  get entries(): number {
    return this.index.documents.entries;
  }

  /** Too much of the memory is entries of records that are gone. */
  get isWorn(): boolean {
    const { lost, entries } = this.index.documents;
    return lost > Math.max(MOST_LOST, entries);
  }

  /** Whether it holds what the engine counts: so a change that went unnoticed shows. */
  agreesWith({ records, words }: { readonly records: number; readonly words: number }): boolean {
    return this.index.records === records && this.index.words === words;
  }

  /** False when it can hold no more. */
  put(rows: readonly WordRow[]): boolean {
    this.index.remove(rows.filter(({ record }) => record === undefined).map(({ rid }) => rid));
    for (const { rid, record } of rows) {
      if (record === undefined) continue;
      if (rid >= MAX_RECORDS) return false;
      this.index.put(rid, partitionOf(record), splitWords(record), marksOf(record));
    }
    return true;
  }

  statistics(terms: readonly string[], viewer: Viewer): TermStatistics {
    const { index } = this;
    const partitions = partitionsFor(viewer, {});
    const population = index.recordsIn(partitions);
    const countOf =
      population === index.records
        ? (term: string) => index.dictionary.recordsWith(term)
        : index.counterIn(partitions);
    return { frequencies: new Map(terms.map((term) => [term, countOf(term)])), population };
  }

  /** How often terms occur in records; a length below 0 for records that are not indexed. */
  table(rids: readonly (number | undefined)[], terms: readonly string[]): TermTable {
    return this.#counter.table(rids, terms);
  }

  /** The numbers whose logarithms the scores of a search need. */
  rarities(terms: readonly string[]): number[] {
    const { dictionary, records } = this.index;
    const holders = terms.map((term) => dictionary.recordsWith(term)).filter((count) => count > 0);
    return holders.map((count) => rarityRatio(count, records));
  }

  /** The terms must be distinct. */
  find({ terms, viewer, filter, limit }: TextQuery, { read, few, all }: Candidates): TextCandidate[] {
    const ranker = this.#ranker;
    const query = ranker.prepare(terms, partitionsFor(viewer, filter));
    const found: TextCandidate[] = [];
    const take = ({ rid, score }: Hit): void => {
      if (found.length >= limit) return;
      const record = read(rid);
      if (record !== undefined) found.push({ record, textScore: score });
    };
    const known = few?.();
    if (known !== undefined) {
      ranker.among(query, known, limit).forEach(take);
      return found;
    }
    let done = 0;
    for (let size = limit + SPARE; ; size *= GROWTH) {
      const hits = ranker.best(query, size);
      hits.slice(done).forEach(take);
      if (found.length >= limit || hits.length < size) return found;
      done = hits.length;
      if (done - found.length >= MOST_REFUSED) break;
    }
    found.length = 0;
    ranker.among(query, all(), limit).forEach(take);
    return found;
  }
}
