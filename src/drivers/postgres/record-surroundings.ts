/** The neighbours of a record in its thread, and changed records as they were at an earlier time. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isVisible, visibleTo } from '../../kernel/scope.ts';
import type { AsOfQuery, NeighbourQuery, Neighbours } from '../../ports/record-store.ts';
import { matchesFilter } from '../../records/rules/matches-filter.ts';
import { recordAsOf, type Snapshot } from '../../records/rules/stored-records.ts';
import { UNTHREADED_REACH } from '../common/record-columns.ts';
import { storedJson } from '../common/stored-json.ts';
import type { Database } from './database.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord, toStored } from './record-rows.ts';
import { recordWhere } from './record-where.ts';
import { raw, sql } from './sql.ts';

type NeighbourRow = RecordRow & { readonly of: string; readonly is_before: boolean };
type Place = Pick<MemoryRecord, 'id' | 'agent' | 'user' | 'scope' | 'source'>;

const SAME_THREAD = raw('md5(r.thread) = md5(p.thread) AND r.thread = p.thread');
const NO_THREAD = raw(
  `r.thread IS NULL AND r.rid BETWEEN p.rid - ${UNTHREADED_REACH} AND p.rid + ${UNTHREADED_REACH}`,
);

/** All of them in one snapshot, whatever the number of records asked about. */
export function neighbours(
  database: Database,
  { viewer, now, filter, ids, reach }: NeighbourQuery,
): Promise<Map<string, Neighbours>> {
  return database.snapshot(async (session) => {
    const found = new Map<string, { before: MemoryRecord[]; after: MemoryRecord[] }>();
    const places = await session.rows<Place>(
      sql`SELECT id, agent, NULLIF(user_id, '') AS "user", scope, source FROM records WHERE id = ANY(${ids}::text[]) AND forgotten_at IS NULL`,
    );
    const visibility = visibleTo(viewer);
    const seen = new Set(places.filter((place) => isVisible(visibility, place)).map(({ id }) => id));
    for (const id of ids) if (seen.has(id)) found.set(id, { before: [], after: [] });
    const where = recordWhere(viewer, filter, ['live'], now);
    const beside = (isBefore: boolean, isThreaded: boolean) => sql`
      SELECT p.id AS of, ${raw(String(isBefore))} AS is_before, ${RECORD_COLUMNS} FROM records p CROSS JOIN LATERAL (
        SELECT * FROM records r WHERE r.agent = p.agent AND r.user_id = p.user_id AND ${isThreaded ? SAME_THREAD : NO_THREAD}
        AND r.rid ${raw(isBefore ? '<' : '>')} p.rid AND ${where}
        ORDER BY r.rid ${raw(isBefore ? 'DESC' : 'ASC')} LIMIT ${reach}
      ) r WHERE p.id = ANY(${[...found.keys()]}::text[]) AND p.thread IS ${raw(isThreaded ? 'NOT NULL' : 'NULL')}`;
    const rows = await session.rows<NeighbourRow>(
      sql`${beside(true, true)} UNION ALL ${beside(false, true)}
          UNION ALL ${beside(true, false)} UNION ALL ${beside(false, false)}`,
    );
    for (const { of, is_before: isBefore, ...row } of rows) {
      found.get(of)![isBefore ? 'before' : 'after'].push(toRecord(row, now));
    }
    return found;
  });
}

type ThenRow = RecordRow & {
  readonly then_version: number;
  readonly changed_at: number;
  readonly snapshot: string;
};

const PAGE = 500;

/** Rights are those of today: what was shared once and is private now stays private. */
export function changedSince(
  database: Database,
  { viewer, filter, at, limit }: AsOfQuery,
): Promise<MemoryRecord[]> {
  const where = recordWhere(viewer, {}, ['live', 'expired'], at);
  const visibility = visibleTo(viewer);
  return database.snapshot(async (session) => {
    const found: MemoryRecord[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; found.length < limit; ) {
      // The newest version that existed at the time, or the very first if it is said to hold since before.
      const rows = await session.rows<ThenRow>(
        sql`SELECT ${RECORD_COLUMNS}, v.version AS then_version, v.changed_at, v.snapshot FROM records r
            CROSS JOIN LATERAL (
              SELECT * FROM record_versions v WHERE v.rid = r.rid AND (v.changed_at <= ${at} OR v.version = 1)
              ORDER BY v.version DESC LIMIT 1
            ) v
            WHERE r.version > 1 AND r.updated_at > ${at} AND COALESCE(r.valid_from, r.created_at) <= ${at}
            AND r.rid < ${before} AND ${where} ORDER BY r.rid DESC LIMIT ${PAGE}`,
      );
      const records = rows.flatMap((row) => asItWas(row, at) ?? []);
      found.push(
        ...records.filter((record) => isVisible(visibility, record) && matchesFilter(record, filter)),
      );
      if (rows.length < PAGE) break;
      before = rows.at(-1)!.rid;
    }
    return found.slice(0, limit);
  });
}

function asItWas(row: ThenRow, at: number): MemoryRecord | undefined {
  const snapshot = storedJson<Snapshot>(row.snapshot);
  return recordAsOf(toStored(row), { version: row.then_version, changedAt: row.changed_at, snapshot }, at);
}
