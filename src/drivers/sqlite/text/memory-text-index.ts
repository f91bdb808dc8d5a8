/** Builds the text index in memory from the records, step by step, and then applies their changes. */
import type { Database } from 'better-sqlite3';
import type { Source } from '../../../kernel/record.ts';
import { partitionOf } from '../../resident-search/partitions.ts';
import type { Logarithm } from '../../search-kernels/text/bm25.ts';
import { Bm25Ranker } from '../../search-kernels/text/bm25-ranker.ts';
import { InvertedIndex, MAX_RECORDS } from '../../search-kernels/text/inverted-index.ts';
import { TermCounter } from '../../search-kernels/text/term-counter.ts';
import { ChangeFeed } from './change-feed.ts';
import { type Indexed, marksOf, wordsOf } from './words.ts';

/** Records read at a time. */
const STEP = 32;
/** Pairs of a record and a word in it; with 13 bytes each, half a gigabyte. */
const MAX_ENTRIES = 40_000_000;
/** Entries of removed records; with more than this, and more than are in use, the index is built again. */
const MOST_LOST = 100_000;
type Row = Indexed & { readonly rid: number; readonly source: Source; readonly forgotten: 0 | 1 };

/**
 * `behind`: there is more to read. `lost`: it does not know what changed, or holds too many removed entries, and must be built
 * again. `full`: there is more than it may hold.
 */
export type Progress = 'behind' | 'current' | 'lost' | 'full';

export class MemoryTextIndex {
  readonly index = new InvertedIndex();
  readonly ranker: Bm25Ranker;
  readonly counter = new TermCounter(this.index);
  readonly #feed: ChangeFeed;
  readonly #page;
  readonly #byId;
  #lastEvent: number;
  #lastRid = 0;
  #isRead = false;

  constructor(database: Database) {
    const ln = database.prepare('SELECT ln(?)').pluck();
    this.ranker = new Bm25Ranker(this.index, ((value) => ln.get(value)) as Logarithm);
    this.#feed = new ChangeFeed(database);
    // Read before the records: a change from now on is applied twice rather than never.
    this.#lastEvent = this.#feed.latest();
    const columns =
      "rid, agent, nullif(user_id, '') AS user, scope, source, category, content, tags, forgotten_at IS NOT NULL AS forgotten";
    this.#page = database.prepare(`SELECT ${columns} FROM records WHERE rid > ? ORDER BY rid LIMIT ${STEP}`);
    this.#byId = database.prepare(`SELECT ${columns} FROM records WHERE id = ?`);
  }

  /** Continues until the index is current or the deadline has passed. */
  advance(deadline: number): Progress {
    let progress: Progress;
    do progress = this.#isRead ? this.follow(STEP) : this.#read();
    while (progress === 'behind' && performance.now() < deadline);
    return progress;
  }

  /** Applies at most so many changes. */
  follow(limit: number): Progress {
    const changes = this.#feed.after(this.#lastEvent, limit);
    if (changes === undefined) return 'lost';
    const rows: Row[] = [];
    for (const id of changes.ids) {
      const row = this.#byId.get(id) as Row | undefined;
      // Deleted by something other than Keepsake.
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

  /** False when the index is full. */
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
