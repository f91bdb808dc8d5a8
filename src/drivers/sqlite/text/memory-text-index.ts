/** An index in memory that is read from the records, step by step, and then follows their changes. */
import type { Database } from 'better-sqlite3';
import type { Source } from '../../../kernel/record.ts';
import type { Logarithm } from './bm25.ts';
import { ChangeFeed } from './change-feed.ts';
import { Counting } from './counting.ts';
import { partitionOf } from './partitions.ts';
import { Ranker } from './ranker.ts';
import { MAX_RECORDS, WordIndex } from './word-index.ts';
import { type Indexed, marksOf, wordsOf } from './words.ts';

/** Records read at a time. */
const STEP = 32;
/** Words of records, each once for a record; with 13 bytes each, half a gigabyte. */
const MAX_ENTRIES = 40_000_000;
/** Places that changed records left behind; with more than this, and more than are in use, it is better made anew. */
const MOST_LOST = 100_000;
type Row = Indexed & { readonly rid: number; readonly source: Source; readonly forgotten: 0 | 1 };

/**
 * `behind`: there is more to read. `lost`: it cannot tell what changed, or is worn out, and must be made anew. `full`: there
 * is more than it may hold.
 */
export type Progress = 'behind' | 'current' | 'lost' | 'full';

export class MemoryTextIndex {
  readonly index = new WordIndex();
  readonly ranker: Ranker;
  readonly counting = new Counting(this.index);
  readonly #feed: ChangeFeed;
  readonly #page;
  readonly #byId;
  #lastEvent: number;
  #lastRid = 0;
  #isRead = false;

  constructor(database: Database) {
    const ln = database.prepare('SELECT ln(?)').pluck();
    this.ranker = new Ranker(this.index, ((value) => ln.get(value)) as Logarithm);
    this.#feed = new ChangeFeed(database);
    // What changes from now on is read twice rather than never.
    this.#lastEvent = this.#feed.latest();
    const columns =
      'rid, agent, scope, source, category, content, tags, forgotten_at IS NOT NULL AS forgotten';
    this.#page = database.prepare(`SELECT ${columns} FROM records WHERE rid > ? ORDER BY rid LIMIT ${STEP}`);
    this.#byId = database.prepare(`SELECT ${columns} FROM records WHERE id = ?`);
  }

  /** Reads on until it is current or the time has come. */
  advance(deadline: number): Progress {
    let progress: Progress;
    do progress = this.#isRead ? this.follow(STEP) : this.#read();
    while (progress === 'behind' && performance.now() < deadline);
    return progress;
  }

  /** Takes over at most so many changes. */
  follow(limit: number): Progress {
    const changes = this.#feed.after(this.#lastEvent, limit);
    if (changes === undefined) return 'lost';
    const rows: Row[] = [];
    for (const id of changes.ids) {
      const row = this.#byId.get(id) as Row | undefined;
      // Somebody has removed it by other means than ours.
      if (row === undefined) return 'lost';
      rows.push(row);
    }
    this.#lastEvent = changes.last;
    const { documents } = this.index;
    if (!this.#take(rows)) return 'full';
    if (documents.lost > Math.max(MOST_LOST, documents.entries)) return 'lost';
    return changes.more ? 'behind' : 'current';
  }

  #read(): Progress {
    const rows = this.#page.all(this.#lastRid) as Row[];
    this.#isRead = rows.length < STEP;
    this.#lastRid = rows.at(-1)?.rid ?? this.#lastRid;
    return this.#take(rows) ? 'behind' : 'full';
  }

  /** False when there is no room. */
  #take(rows: readonly Row[]): boolean {
    this.index.remove(rows.filter(({ forgotten }) => forgotten === 1).map(({ rid }) => rid));
    for (const row of rows) {
      if (row.forgotten === 1) continue;
      if (row.rid >= MAX_RECORDS) return false;
      this.index.put(row.rid, partitionOf(row), wordsOf(row), marksOf(row));
    }
    return this.index.documents.entries <= MAX_ENTRIES;
  }
}
