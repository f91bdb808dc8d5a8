/** The words of the parts of small scopes, kept while their records say the same. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { ScopePart } from '../../ports/record-store.ts';
import type { TermCounter } from './term-counts.ts';

/** A word that only a label holds, as the text indexes weigh it. */
const IN_LABELS = 0.6;
/** Pairs of a word and a record that holds it, of all kept parts: some tens of megabytes. Only the last scope may have more. */
const MOST_KEPT = 500_000;

export interface WordsOfPart {
  /** By word: where the records that hold it stand in the part, and how often each does. */
  readonly holders: ReadonlyMap<string, readonly { readonly place: number; readonly times: number }[]>;
  /** How many words each record has, and all together. */
  readonly lengths: readonly number[];
  readonly length: number;
}

type Version = Pick<MemoryRecord, 'id' | 'version'>;

interface Kept {
  /** Not the records themselves: they may be forgotten before anybody asks again. */
  readonly list: WeakRef<readonly MemoryRecord[]>;
  readonly versions: readonly Version[];
  readonly words: WordsOfPart;
  readonly pairs: number;
}

export class PartWords {
  readonly #counter: TermCounter;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  #pairs = 0;

  constructor(counter: TermCounter, most = MOST_KEPT) {
    this.#counter = counter;
    this.#most = most;
  }

  /** The words of the parts of one scope, in their order. These are kept however many they are. */
  of(parts: readonly ScopePart[]): WordsOfPart[] {
    const words = parts.map((part) => this.#of(part));
    const asked = new Set(parts.map(({ name }) => name));
    for (const oldest of this.#kept.keys()) {
      if (this.#pairs <= this.#most || asked.has(oldest)) break;
      this.#drop(oldest);
    }
    return words;
  }

  #of({ name, records }: ScopePart): WordsOfPart {
    const before = this.#kept.get(name);
    this.#drop(name);
    const kept = before !== undefined && saysTheSame(before, records) ? before : this.#count(records);
    this.#kept.set(name, { ...kept, list: new WeakRef(records) });
    this.#pairs += kept.pairs;
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
      const { counts, labels, length: words } = this.#counter.whole(record);
      for (const [term, count] of counts) {
        const times = labels.has(term) ? IN_LABELS : count;
        const list = holders.get(term);
        if (list === undefined) holders.set(term, [{ place, times }]);
        else list.push({ place, times });
      }
      pairs += counts.size;
      return words;
    });
    const length = lengths.reduce((sum, each) => sum + each, 0);
    const versions = records.map(({ id, version }) => ({ id, version }));
    return { list: new WeakRef(records), versions, pairs, words: { holders, lengths, length } };
  }
}

/** Counters of a record change with every search that returns it; its words only with its version. */
function saysTheSame({ list, versions }: Kept, records: readonly MemoryRecord[]): boolean {
  if (list.deref() === records) return true;
  if (versions.length !== records.length) return false;
  return versions.every(({ id, version }, i) => id === records[i]!.id && version === records[i]!.version);
}
