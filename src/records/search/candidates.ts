/** The candidates of a search, each once, with its evidence. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isOf } from './dates.ts';
import type { Asked } from './question.ts';
import { type Weights, weightOf } from './text-evidence.ts';
import type { Counted, WordCounts } from './word-counts.ts';

export interface Candidate {
  readonly record: MemoryRecord;
  /** What it holds of the question's own words. */
  readonly held: Counted;
  /** What these are worth together. */
  readonly weight: number;
  /** Cosine with the question, or null when one of the two has no vector. */
  similarity: number | null;
  /** What it said then, while its stored vector is of what it says now. */
  readonly past: boolean;
  /** Whether it is of the time that the question names. */
  readonly isOfThen: boolean;
}

export class Candidates {
  readonly #words: WordCounts;
  readonly #asked: Asked;
  readonly #byId = new Map<string, Candidate>();

  constructor(words: WordCounts, asked: Asked) {
    this.#words = words;
    this.#asked = asked;
  }

  get(id: string): Candidate | undefined {
    return this.#byId.get(id);
  }

  all(): Candidate[] {
    return [...this.#byId.values()];
  }

  /** Takes in those that are not here yet. `telling` are the words by which the passage of a long text is chosen. */
  async take(records: Iterable<MemoryRecord>, telling: Weights = this.#asked.weights): Promise<void> {
    const fresh = new Map<string, MemoryRecord>();
    for (const record of records) if (!this.#byId.has(record.id)) fresh.set(record.id, record);
    if (fresh.size === 0) return;
    const all = [...fresh.values()];
    const rows = await this.#words.of(all, this.#asked.terms, telling);
    for (let i = 0; i < all.length; i++) this.#put(all[i]!, rows[i]!, false);
  }

  /** Takes in a record as it once was, unless it is here already. */
  takePast(record: MemoryRecord): Candidate {
    const { terms, weights } = this.#asked;
    return this.#byId.get(record.id) ?? this.#put(record, this.#words.inText(record, terms, weights), true);
  }

  #put(record: MemoryRecord, held: Counted, past: boolean): Candidate {
    const { time, dated, worth } = this.#asked;
    const isOfThen = time !== undefined && isOf(record, time);
    // What is of that time holds its words, whether or not it says them.
    if (isOfThen) for (const place of dated) held.counts[held.start + place] ||= 1;
    const candidate = { record, held, weight: weightOf(held, worth), similarity: null, past, isOfThen };
    this.#byId.set(record.id, candidate);
    return candidate;
  }
}
