/** The neighbours of a record in its thread, and changed records as they were at an earlier time. */
import type { Database } from 'better-sqlite3';
import type { MemoryRecord } from '../../kernel/record.ts';
import { isVisible, visibleTo } from '../../kernel/scope.ts';
import type { AsOfQuery, NeighbourQuery, Neighbours } from '../../ports/record-store.ts';
import { matchesFilter } from '../../records/rules/matches-filter.ts';
import { recordAsOf, type Snapshot } from '../../records/rules/stored-records.ts';
import { type StoredRow, UNTHREADED_REACH, userColumn } from '../common/record-columns.ts';
import { storedJson } from '../common/stored-json.ts';
import type { RecordCache } from './record-cache.ts';
import { RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';
import { recordWhere } from './record-where.ts';
import { StatementCache } from './statement-cache.ts';

export class RecordSurroundings {
  readonly #statements: StatementCache;
  readonly #cache: RecordCache;

  constructor(database: Database, cache: RecordCache) {
    this.#cache = cache;
    this.#statements = new StatementCache(database);
  }

  neighbours({ viewer, now, filter, ids, reach }: NeighbourQuery): Map<string, Neighbours> {
    const where = recordWhere(viewer, filter, ['live'], now);
    const place = this.#statements.get(
      "SELECT rid, agent, nullif(user_id, '') AS user, scope, thread FROM records WHERE id = ? AND forgotten_at IS NULL",
    );
    const visibility = visibleTo(viewer);
    this.#cache.refresh();
    const record = this.#cache.reader({ viewer, filter, now });
    const beside = (thread: string, comparison: string) =>
      this.#statements.get(
        `SELECT r.rid FROM records r
         WHERE r.agent = ? AND r.user_id = ? AND ${thread} AND r.rid ${comparison} AND ${where.sql}
         ORDER BY r.rid ${comparison.startsWith('<') ? 'DESC' : 'ASC'} LIMIT +?`,
      );
    const found = new Map<string, Neighbours>();
    for (const id of ids) {
      const at = place.get(id) as Pick<StoredRow, 'rid' | 'agent' | 'user' | 'scope' | 'thread'> | undefined;
      if (at === undefined || !isVisible(visibility, at)) continue;
      const { agent, user, thread, rid } = at;
      const read = (statement: ReturnType<typeof beside>, ...place: readonly (string | number)[]) =>
        (
          statement.pluck().all(agent, userColumn(user), ...place, ...where.values, reach) as number[]
        ).flatMap((each) => record(each) ?? []);
      found.set(
        id,
        thread === null
          ? {
              before: read(beside('r.thread IS NULL', '< ? AND r.rid >= ?'), rid, rid - UNTHREADED_REACH),
              after: read(beside('r.thread IS NULL', '> ? AND r.rid <= ?'), rid, rid + UNTHREADED_REACH),
            }
          : {
              before: read(beside('r.thread = ?', '< ?'), thread, rid),
              after: read(beside('r.thread = ?', '> ?'), thread, rid),
            },
      );
    }
    return found;
  }

  /** Rights are those of today: what was shared once and is private now stays private. */
  changedSince({ viewer, filter, at, limit }: AsOfQuery): MemoryRecord[] {
    const where = recordWhere(viewer, {}, ['live', 'expired'], at);
    const rows = this.#statements
      .get(
        `SELECT ${RECORD_COLUMNS}, v.version AS then_version, v.changed_at, v.snapshot FROM records r
         JOIN record_versions v ON v.rid = r.rid
         WHERE r.version > 1 AND r.updated_at > ? AND COALESCE(r.valid_from, r.created_at) <= ? AND ${where.sql}
         ORDER BY r.rid DESC, v.version DESC`,
      )
      .iterate(at, at, ...where.values) as IterableIterator<
      RecordRow & { then_version: number; changed_at: number; snapshot: string }
    >;
    const visibility = visibleTo(viewer);
    const found: MemoryRecord[] = [];
    let settled = -1;
    for (const row of rows) {
      // Newest first: the first version that existed at the time, or the very first if it is said to hold since before.
      if (row.rid === settled || (row.changed_at > at && row.then_version > 1)) continue;
      settled = row.rid;
      const snapshot = storedJson<Snapshot>(row.snapshot);
      const version = { version: row.then_version, changedAt: row.changed_at, snapshot };
      const record = recordAsOf(toStored(row), version, at);
      if (record === undefined || !isVisible(visibility, record) || !matchesFilter(record, filter)) continue;
      found.push(record);
      if (found.length >= limit) break;
    }
    return found;
  }
}
