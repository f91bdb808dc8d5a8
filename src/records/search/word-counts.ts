/** Counts the words of a question in records, with the index of the store or from their texts. */

import type { MemoryRecord } from '../../kernel/record.ts';
import { MOST_COUNTED, ONLY_IN_LABELS } from '../../kernel/term-count.ts';
import type { SearchReads, TermTable } from '../../ports/record-store.ts';
import { isLong, TermCounter, type TermCounts } from './term-counts.ts';
import type { Held, Weights } from './text-evidence.ts';

export interface Counted extends Held {
  /** All words of its text, or of the passage that it is judged by, where these were counted. */
  readonly terms: TermCounts | undefined;
}

const UNKNOWN = -1;

export class WordCounts {
  readonly #store: Pick<SearchReads, 'termTable'>;
  readonly #counter: TermCounter;

  constructor(store: Pick<SearchReads, 'termTable'>, counter = new TermCounter()) {
    this.#store = store;
    this.#counter = counter;
  }

  /** The same, told by another store. */
  by(store: Pick<SearchReads, 'termTable'>): WordCounts {
    return new WordCounts(store, this.#counter);
  }

  /** In the order of the records. `telling` are the words by which the passage of a long text is chosen. */
  async of(records: readonly MemoryRecord[], terms: readonly string[], telling: Weights): Promise<Counted[]> {
    const table = await this.#table(records, terms);
    return records.map((record, row) => {
      const length = isLong(record) ? UNKNOWN : (table?.lengths[row] ?? UNKNOWN);
      return length === UNKNOWN
        ? this.inText(record, terms, telling)
        : { counts: table!.counts, start: row * terms.length, length, terms: undefined };
    });
  }

  /** The same of other terms; a record that was counted in its text is counted there again, in the same passage. */
  async again(
    records: readonly MemoryRecord[],
    counted: readonly Counted[],
    terms: readonly string[],
  ): Promise<Held[]> {
    const table = await this.#table(records, terms);
    return counted.map((before, row) => {
      const length = before.terms === undefined ? (table?.lengths[row] ?? UNKNOWN) : UNKNOWN;
      return length === UNKNOWN
        ? rowOf(this.termsOf(records[row]!, before), terms)
        : { counts: table!.counts, start: row * terms.length, length };
    });
  }

  /** Counted in the text, whatever the store knows. */
  inText(record: MemoryRecord, terms: readonly string[], telling: Weights): Counted {
    return rowOf(this.#counter.of(record, telling), terms);
  }

  /** All words of a record, or of the passage that it is judged by. */
  termsOf(record: MemoryRecord, { terms }: Counted): TermCounts {
    return terms ?? this.#counter.of(record);
  }

  async #table(records: readonly MemoryRecord[], terms: readonly string[]): Promise<TermTable | undefined> {
    return this.#store.termTable?.(
      records.map(({ id }) => id),
      terms,
    );
  }
}

/** A row of its own. */
export function rowOf(counted: TermCounts, terms: readonly string[]): Counted {
  const counts = Uint16Array.from(terms, (term) =>
    counted.labels.has(term) ? ONLY_IN_LABELS : Math.min(MOST_COUNTED, counted.counts.get(term) ?? 0),
  );
  return { counts, start: 0, length: counted.length, terms: counted };
}
