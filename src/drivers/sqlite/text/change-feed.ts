/** Lists the records that changed, in any process: every write leaves a numbered event. */
import type { Database } from 'better-sqlite3';

export interface Changes {
  /** Ids of records whose words may have changed. */
  readonly ids: ReadonlySet<string>;
  readonly last: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly id: string | null;
}

const CHANGES = new Set(['memory.wrote', 'memory.forgotten']);
/** A restore brings back rows and numbers that were seen before. */
const RESTORED = 'storage.restored';

export class ChangeFeed {
  readonly #latest;
  readonly #after;

  constructor(database: Database) {
    // Keeps the highest number even after trimming.
    this.#latest = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
    this.#after = database.prepare(
      `SELECT seq, type, CASE WHEN json_valid(event) THEN event ->> '$.id' END AS id FROM events
       WHERE seq > ? ORDER BY seq LIMIT +?`,
    );
  }

  latest(): number {
    return (this.#latest.get() as number | undefined) ?? 0;
  }

  /** The changes of the next `limit` events; undefined when events are missing, so that everything must be read again. */
  after(seq: number, limit: number): Changes | undefined {
    const rows = this.#after.all(seq, limit) as EventRow[];
    const ids = new Set<string>();
    let last = seq;
    for (const row of rows) {
      const isUnclear = row.type === RESTORED || (CHANGES.has(row.type) && row.id === null);
      if (row.seq !== last + 1 || isUnclear) return undefined;
      last = row.seq;
      if (CHANGES.has(row.type)) ids.add(row.id!);
    }
    if (rows.length < limit && this.latest() !== last) return undefined;
    return { ids, last, more: rows.length === limit };
  }
}
