/** Searches the few records that a caller may see, one by one: what it costs does not depend on what others have stored. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type {
  RecordStore,
  SearchReads,
  TermStatistics,
  TextCandidate,
  TextQuery,
  VectorCandidate,
  VectorQuery,
} from '../../ports/record-store.ts';
import { asStored, matchesFilter } from '../rules/matches-filter.ts';
import { isOver } from '../rules/stored-records.ts';
import { PartWords, type WordsOfPart } from './part-words.ts';
import type { TermCounter } from './term-counts.ts';
import { rarity, saturation } from './text-evidence.ts';

/** More vectors than this are scanned sooner than compared one by one. */
const MOST_COMPARED = 512;

interface Part {
  readonly records: readonly MemoryRecord[];
  readonly words: WordsOfPart;
}

export class SmallScopes {
  readonly #store: RecordStore;
  readonly #words: PartWords;

  constructor(store: RecordStore, counter: TermCounter) {
    this.#store = store;
    this.#words = new PartWords(counter);
  }

  /** Undefined when the caller may see too much for this, or the store has a faster way. */
  async of(viewer: Viewer): Promise<SearchReads | undefined> {
    const parts = await this.#store.scopeOf?.(viewer);
    if (parts === undefined) return undefined;
    const words = this.#words.of(parts);
    return new SmallScope(
      this.#store,
      parts.map(({ records }, i) => ({ records, words: words[i]! })),
    );
  }
}

class SmallScope implements SearchReads {
  readonly #store: RecordStore;
  readonly #parts: readonly Part[];
  readonly #population: number;
  readonly #typicalLength: number;

  constructor(store: RecordStore, parts: readonly Part[]) {
    this.#store = store;
    this.#parts = parts;
    this.#population = parts.reduce((sum, { records }) => sum + records.length, 0);
    const length = parts.reduce((sum, { words }) => sum + words.length, 0);
    this.#typicalLength = Math.max(1, length / Math.max(1, this.#population));
  }

  readonly vectors: SearchReads['vectors'] = {
    search: (query) => this.#nearest(query),
    similarities: (ids, embedding) => this.#store.vectors.similarities(ids, embedding),
  };

  readonly neighbours: SearchReads['neighbours'] = (query) => this.#store.neighbours(query);

  async termStatistics(terms: readonly string[]): Promise<TermStatistics> {
    const frequencies = new Map(terms.map((term) => [term, this.#frequency(term)]));
    return { frequencies, population: this.#population };
  }

  async searchText(query: TextQuery): Promise<readonly TextCandidate[]> {
    const isWanted = wantedBy(query);
    const terms = [...new Set(query.terms)].map((term) => ({
      term,
      worth: rarity(this.#frequency(term), this.#population),
    }));
    const found = this.#parts.flatMap(({ records, words }) => {
      const scores = new Map<number, number>();
      for (const { term, worth } of terms)
        for (const { place, times } of words.holders.get(term) ?? []) {
          const part = worth * saturation(times, words.lengths[place]!, this.#typicalLength);
          scores.set(place, (scores.get(place) ?? 0) + part);
        }
      return [...scores].flatMap(([place, textScore]) => {
        const record = records[place]!;
        return isWanted(record) ? { record, textScore } : [];
      });
    });
    return found
      .sort((a, b) => b.textScore - a.textScore || newerFirst(a.record, b.record))
      .slice(0, query.limit);
  }

  async #nearest(query: VectorQuery): Promise<readonly VectorCandidate[]> {
    const isWanted = wantedBy(query);
    const passing = this.#parts.flatMap(({ records }) => records.filter(isWanted));
    if (passing.length > MOST_COMPARED) return this.#store.vectors.search(query);
    const ids = passing.map(({ id }) => id);
    const similarities = await this.#store.vectors.similarities(ids, query.embedding);
    return passing
      .flatMap((record) => {
        const similarity = similarities.get(record.id);
        return similarity === undefined ? [] : { record, similarity };
      })
      .sort((a, b) => b.similarity - a.similarity || newerFirst(a.record, b.record))
      .slice(0, query.limit);
  }

  #frequency(term: string): number {
    return this.#parts.reduce((sum, { words }) => sum + (words.holders.get(term)?.length ?? 0), 0);
  }
}

const newerFirst = (a: MemoryRecord, b: MemoryRecord): number => b.createdAt - a.createdAt;

function wantedBy({ filter, now }: Pick<TextQuery, 'filter' | 'now'>): (record: MemoryRecord) => boolean {
  const isUnfiltered = Object.keys(filter).length === 0;
  const wanted = asStored(filter);
  return (record) => !isOver(record.expiresAt, now) && (isUnfiltered || matchesFilter(record, wanted));
}
