/** Counts how often words occur in given records, from the index in memory instead of from their texts. */
import { ONLY_IN_LABELS } from '../../../kernel/term-count.ts';
import { inText } from './frequency-codes.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { withRoomFor } from './with-room-for.ts';

/** The length of a record that is not indexed. */
const UNKNOWN = -1;

export class TermCounter {
  readonly #index: InvertedIndex;
  /** By number of a word: its column, from 1. All 0 between two calls. */
  #columns = new Uint16Array(1_024);

  constructor(index: InvertedIndex) {
    this.#index = index;
  }

  /** A row for each record, a column for each term; a record that is not indexed has the length -1. `terms` must be distinct. */
  table(
    rids: readonly (number | undefined)[],
    terms: readonly string[],
  ): { lengths: Int32Array; counts: Uint16Array } {
    const { dictionary } = this.#index;
    const lengths = new Int32Array(rids.length);
    const counts = new Uint16Array(rids.length * terms.length);
    this.#columns = withRoomFor(this.#columns, dictionary.size);
    const numbers = terms.map((term) => dictionary.find(term));
    numbers.forEach((number, i) => {
      if (number !== undefined) this.#columns[number] = i + 1;
    });
    rids.forEach((rid, row) => {
      lengths[row] = rid === undefined ? UNKNOWN : this.#count(rid, counts, row * terms.length);
    });
    for (const number of numbers) if (number !== undefined) this.#columns[number] = 0;
    return { lengths, counts };
  }

  /** Fills a row; returns how many words the record has. */
  #count(rid: number, counts: Uint16Array, start: number): number {
    const { documents } = this.#index;
    if (!documents.hasCodes(rid)) return UNKNOWN;
    const columns = this.#columns;
    const { words, codes } = documents.pageOf(rid);
    const from = documents.startOf(rid);
    const to = from + documents.countOf(rid);
    let length = 0;
    for (let i = from; i < to; i++) {
      const times = inText(codes[i]!);
      length += times;
      const column = columns[words[i]!]!;
      if (column > 0) counts[start + column - 1] = times || ONLY_IN_LABELS;
    }
    return length;
  }
}
