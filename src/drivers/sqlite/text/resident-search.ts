/** Text search in memory: the same results as FTS5, or undefined when FTS5 has to answer. */
import type { Database } from 'better-sqlite3';
import type { Viewer } from '../../../kernel/scope.ts';
import type { TermStatistics, TermTable, TextCandidate, TextQuery } from '../../../ports/record-store.ts';
import type { ResidentWords } from '../../resident-search/index.ts';
import { PassingRows } from '../passing-rows.ts';
import type { RecordCache } from '../record-cache.ts';
import { ResidentText } from './resident-text.ts';
import type { TextSearch } from './text-search.ts';

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
    return this.#telling((words) => words.statistics(terms, viewer));
  }

  find(query: TextQuery): TextCandidate[] | undefined {
    return this.#reading((words) => {
      this.#records.refresh();
      return words.find(query, {
        read: this.#records.reader(query),
        few: () => this.#passing.few(query),
        all: () => this.#passing.all(query),
      });
    });
  }

  /** How often terms occur in records; a length below 0 for records that are not indexed. */
  table(ids: readonly string[], terms: readonly string[]): TermTable | undefined {
    return this.#telling((words) => {
      this.#records.refresh();
      return words.table(
        ids.map((id) => this.#records.ridOf(id)),
        terms,
      );
    });
  }

  /** After a forget: removes the words of forgotten records from memory too, once the change is committed. */
  refresh(): void {
    this.#text.refresh();
  }

  /** For what the index knows by itself: most often nothing has changed, and then a transaction costs more than the answer. */
  #telling<T>(read: (words: ResidentWords) => T): T | undefined {
    const words = this.#text.unchanged();
    return words === undefined ? this.#reading(read) : read(words);
  }

  #reading<T>(read: (words: ResidentWords) => T): T | undefined {
    if (!this.#text.isReady()) return undefined;
    try {
      return this.#snapshot(() => {
        const words = this.#text.upToDate();
        return words === undefined ? undefined : read(words);
      });
    } catch (error) {
      this.#text.drop();
      // Out of memory: FTS5 answers.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
}
