/** The words of the parts of small scopes, kept while their records say the same. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { ScopePart } from '../../ports/record-store.ts';
import type { TermCounter } from './term-counts.ts';

/** A word that only a label holds, as the text indexes weigh it. */
const IN_LABELS = 0.6;
/** Pairs of a word and a record that holds it, of all kept parts: some tens of megabytes. */
const MOST_KEPT = 500_000;

export interface WordsOfPart {
  /** By word: where the records that hold it stand in the part, and how often each does. */
  readonly holders: ReadonlyMap<string, readonly { readonly place: number; readonly times: number }[]>;
  /** How many words each record has, and all together. */
  readonly lengths: readonly number[];
  readonly length: number;
}

interface Kept {
  readonly records: readonly MemoryRecord[];
  readonly words: WordsOfPart;
  readonly pairs: number;
}

export class PartWords {
  readonly #counter: TermCounter;
  readonly #kept = new Map<string, Kept>();
  #pairs = 0;

  constructor(counter: TermCounter) {
    this.#counter = counter;
  }

  of({ name, records }: ScopePart): WordsOfPart {
    const before = this.#kept.get(name);
    this.#drop(name);
    const kept = before !== undefined && saysTheSame(before.records, records) ? before : this.#count(records);
    this.#kept.set(name, { ...kept, records });
    this.#pairs += kept.pairs;
    for (const oldest of this.#kept.keys()) {
      if (this.#pairs <= MOST_KEPT) break;
      this.#drop(oldest);
    }
    return kept.words;
  }

  #drop(name: string): void {
    this.#pairs -= this.#kept.get(name)?.pairs ?? 0;
    this.#kept.delete(name);
  }

  #count(records: readonly MemoryRecord[]): Kept {
    const holders = new Map<string, { place: number; times: number }[]>();
    let pairs = 0;
    const lengths = records.map((record, place) => {
      const times = new Map<string, number>();
      let words = 0;
      for (const { counts, labels, length } of this.#counter.all(record)) {
        for (const [term, count] of counts)
          times.set(term, (times.get(term) ?? 0) + (labels.has(term) ? IN_LABELS : count));
        words += length;
      }
      for (const [term, count] of times) {
        const list = holders.get(term);
        if (list === undefined) holders.set(term, [{ place, times: count }]);
        else list.push({ place, times: count });
      }
      pairs += times.size;
      return words;
    });
    const length = lengths.reduce((sum, each) => sum + each, 0);
    return { records, pairs, words: { holders, lengths, length } };
  }
}

/** Counters of a record change with every search that returns it; its words only with its version. */
function saysTheSame(a: readonly MemoryRecord[], b: readonly MemoryRecord[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every(
    (record, i) => record === b[i] || (record.id === b[i]!.id && record.version === b[i]!.version),
  );
}
