/** Text search in memory: the same results as FTS5, or undefined when FTS5 has to answer. */

import type { Database } from 'better-sqlite3';
import type { Viewer } from '../../../kernel/scope.ts';
import type { TermStatistics, TermTable, TextCandidate, TextQuery } from '../../../ports/record-store.ts';
import { partitionsFor } from '../../resident-search/partitions.ts';
import type { Hit } from '../../search-kernels/text/best-records.ts';
import type { Bm25Ranker, PreparedQuery } from '../../search-kernels/text/bm25-ranker.ts';
import { type Passing, PassingRows } from '../passing-rows.ts';
import type { RecordCache } from '../record-cache.ts';
import type { MemoryTextIndex } from './memory-text-index.ts';
import { ResidentText } from './resident-text.ts';
import type { TextSearch } from './text-search.ts';

/** Asked for in addition, because a few hits may have expired. */
const SPARE = 16;
/** After the filter refused so many hits, asking it first for all records that it allows is faster. */
const MOST_REFUSED = 512;
const GROWTH = 4;

export class ResidentSearch {
  readonly #text: ResidentText;
  /** Called whenever the index is up to date. */
  onReady: (() => void) | undefined;
  readonly #snapshot: <T>(read: () => T) => T;
  readonly #records: RecordCache;
  readonly #passing: PassingRows;

  constructor(database: Database, records: RecordCache, search: Exclude<TextSearch, 'fts5'>) {
    this.#records = records;
    this.#text = new ResidentText(database, search === 'resident', () => this.onReady?.());
    this.#passing = new PassingRows(database);
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
  }

  statistics(terms: readonly string[], viewer: Viewer): TermStatistics | undefined {
    return this.#telling(({ index }) => {
      const partitions = partitionsFor(viewer, {});
      const population = index.recordsIn(partitions);
      const countOf =
        population === index.records
          ? (term: string) => index.dictionary.recordsWith(term)
          : index.counterIn(partitions);
      return { frequencies: new Map(terms.map((term) => [term, countOf(term)])), population };
    });
  }

  find(query: TextQuery): TextCandidate[] | undefined {
    return this.#reading(({ ranker }) => {
      const prepared = ranker.prepare(query.terms, partitionsFor(query.viewer, query.filter));
      return this.#choose(ranker, prepared, query, query.limit);
    });
  }

  /** How often terms occur in records; a length below 0 for records that are not indexed. */
  table(ids: readonly string[], terms: readonly string[]): TermTable | undefined {
    return this.#telling(({ counter }) => {
      this.#records.refresh();
      return counter.table(
        ids.map((id) => this.#records.ridOf(id)),
        terms,
      );
    });
  }

  /** After a forget: removes the words of forgotten records from memory too, once the change is committed. */
  refresh(): void {
    this.#text.refresh();
  }

  #choose(ranker: Bm25Ranker, query: PreparedQuery, passing: Passing, limit: number): TextCandidate[] {
    this.#records.refresh();
    const read = this.#records.reader(passing);
    const found: TextCandidate[] = [];
    const take = ({ rid, score }: Hit): void => {
      if (found.length >= limit) return;
      const record = read(rid);
      if (record !== undefined) found.push({ record, textScore: score });
    };
    const few = this.#passing.few(passing);
    if (few !== undefined) {
      ranker.among(query, few, limit).forEach(take);
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
    ranker.among(query, this.#passing.all(passing), limit).forEach(take);
    return found;
  }

  /** For what the index knows by itself: most often nothing has changed, and then a transaction costs more than the answer. */
  #telling<T>(read: (textIndex: MemoryTextIndex) => T): T | undefined {
    const textIndex = this.#text.unchanged();
    return textIndex === undefined ? this.#reading(read) : read(textIndex);
  }

  #reading<T>(read: (textIndex: MemoryTextIndex) => T): T | undefined {
    if (!this.#text.isReady()) return undefined;
    try {
      return this.#snapshot(() => {
        const textIndex = this.#text.upToDate();
        return textIndex === undefined ? undefined : read(textIndex);
      });
    } catch (error) {
      this.#text.drop();
      // Out of memory: FTS5 answers.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
}
