/** How often words stand in given records, read from the index in memory instead of from their texts. */
import type { TermTable } from '../../../ports/record-store.ts';
import { inText } from './frequencies.ts';
import { withRoomFor } from './growth.ts';
import type { WordIndex } from './word-index.ts';

const UNKNOWN = -1;

export class Counting {
  readonly #index: WordIndex;
  /** By number of a word: its column, from 1. All 0 between two tables. */
  #columns = new Uint16Array(1_024);

  constructor(index: WordIndex) {
    this.#index = index;
  }

  /** `terms` must differ from each other. */
  table(rids: readonly (number | undefined)[], terms: readonly string[]): TermTable {
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

  /** Fills a row, and says how many words the record has. */
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
      // What only its labels say counts once.
      if (column > 0) counts[start + column - 1] = times || 1;
    }
    return length;
  }
}
