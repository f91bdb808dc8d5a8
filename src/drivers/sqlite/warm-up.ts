/** Reads ahead, in a process that lives: what a search would have to read one by one is in memory before it asks. */
import type { Database } from 'better-sqlite3';
import type { RecordCache } from './record-cache.ts';
import type { VectorCache } from './vectors/vector-cache.ts';

/** Records read at a time. */
const STEP = 32;
/** Work in the background stops for others after this time. */
const SLICE_MS = 4;
/** From one slice to the next. */
const BREATH_MS = 2;

export class WarmUp {
  readonly #database: Database;
  readonly #records: RecordCache;
  readonly #vectors: VectorCache;
  readonly #page;
  readonly #snapshot: <T>(read: () => T) => T;
  #hasBegun = false;

  constructor(database: Database, records: RecordCache, vectors: VectorCache) {
    this.#database = database;
    this.#records = records;
    this.#vectors = vectors;
    this.#page = database
      .prepare(
        `SELECT rid FROM records WHERE rid < ? AND forgotten_at IS NULL ORDER BY rid DESC LIMIT ${STEP}`,
      )
      .pluck();
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
  }

  /** From the newest back to the oldest, until all are read or there is no more room. Once: what others change, searches read. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#later(Number.MAX_SAFE_INTEGER);
  }

  #later(before: number): void {
    // A process that has nothing else to do may end.
    setTimeout(() => {
      try {
        if (this.#database.open) this.#slice(before);
      } catch {
        // It is a convenience: whoever searches will be told by SQLite itself.
      }
    }, BREATH_MS).unref();
  }

  #slice(from: number): void {
    const deadline = performance.now() + SLICE_MS;
    let before = from;
    while (performance.now() < deadline) {
      const rids = this.#snapshot(() => this.#read(before));
      if (rids.length < STEP || (this.#records.isFull && this.#vectors.isFull)) return;
      before = rids.at(-1)!;
    }
    this.#later(before);
  }

  #read(before: number): number[] {
    this.#records.refresh();
    this.#vectors.refresh();
    const rids = this.#page.all(before) as number[];
    for (const rid of rids) {
      if (!this.#records.isFull) this.#records.readAhead(rid);
      if (!this.#vectors.isFull) this.#vectors.readAhead(rid);
    }
    return rids;
  }
}
