/** Builds the text index in memory from the records, step by step, and then applies their changes. */
import type { Database } from 'better-sqlite3';
import type { Source } from '../../../kernel/record.ts';
import { storedJson } from '../../common/stored-json.ts';
import { ResidentWords } from '../../resident-search/index.ts';
import { ChangeFeed } from './change-feed.ts';
import type { Indexed } from './words.ts';

/** Records read at a time. */
const STEP = 32;
/** Pairs of a record and a word in it; with 13 bytes each, half a gigabyte. */
const MAX_ENTRIES = 40_000_000;

type Row = Indexed & { readonly rid: number; readonly source: Source; readonly forgotten: 0 | 1 };

/**
 * `behind`: there is more to read. `lost`: it does not know what changed, or holds too many removed entries, and must be built
 * again. `full`: there is more than it may hold.
 */
export type Progress = 'behind' | 'current' | 'lost' | 'full';

export class MemoryTextIndex {
  readonly words: ResidentWords;
  readonly #feed: ChangeFeed;
  readonly #page;
  readonly #byId;
  #lastEvent: number;
  #lastRid = 0;
  #isRead = false;

  constructor(database: Database) {
    const ln = database.prepare('SELECT ln(?)').pluck();
    this.words = new ResidentWords((value) => ln.get(value) as number);
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
    if (!this.#take(rows)) return 'full';
    if (this.words.isWorn) return 'lost';
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
    const isRoom = this.words.put(
      rows.map(({ rid, forgotten, ...row }) => ({
        rid,
        record: forgotten === 1 ? undefined : { ...row, tags: storedJson<string[]>(row.tags) },
      })),
    );
    return isRoom && this.words.entries <= MAX_ENTRIES;
  }
}
