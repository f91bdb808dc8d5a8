/** Reading records from Postgres: lists, histories and text search. */
import type { Change, MemoryRecord, RecordVersion } from '../../kernel/record.ts';
import type { ListQuery, TermStatistics, TextCandidate, TextQuery } from '../../ports/record-store.ts';
import type { Snapshot } from '../common/new-record.ts';
import type { Database } from './database.ts';
import { recordIndex } from './record-index.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord, toSnapshot } from './record-rows.ts';
import { recordWhere } from './record-where.ts';
import type { Session } from './session.ts';
import { raw, type Sql, sql } from './sql.ts';

interface VersionRow {
  readonly version: number;
  readonly change: Change;
  readonly changed_at: number;
  readonly changed_by: string;
  readonly snapshot: string;
}

export async function listRecords(
  database: Database,
  { viewer, now, filter, states = ['live'], limit, after }: ListQuery,
): Promise<MemoryRecord[]> {
  const page = after === undefined ? raw('') : sql`AND r.rid < (SELECT rid FROM records WHERE id = ${after})`;
  const rows = await database.rows<RecordRow>(
    sql`SELECT ${RECORD_COLUMNS} FROM records r WHERE ${recordWhere(viewer, filter, states, now)} ${page}
        ORDER BY r.rid DESC LIMIT ${limit}`,
  );
  return rows.map((row) => toRecord(row, now));
}

/** Every version, the last as it is now. */
export async function versionsOf(session: Pick<Session, 'rows'>, row: RecordRow): Promise<RecordVersion[]> {
  const { id } = row;
  const versions = await session.rows<VersionRow>(
    sql`SELECT version, change, changed_at, changed_by, snapshot FROM record_versions
        WHERE rid = ${row.rid} ORDER BY version`,
  );
  const earlier = versions.map((entry) => ({
    id,
    version: entry.version,
    change: entry.change,
    changedAt: entry.changed_at,
    changedBy: entry.changed_by,
    ...(JSON.parse(entry.snapshot) as Snapshot),
  }));
  const { version, change, changed_by: changedBy, updated_at: changedAt } = row;
  return [...earlier, { id, version, change, changedAt, changedBy, ...toSnapshot(row) }];
}

export async function termStatistics(database: Database, terms: readonly string[]): Promise<TermStatistics> {
  const rows = await database.rows<{ population: number; term: string | null; holders: number | null }>(
    sql`SELECT COALESCE((l.counters::json ->> 'record')::bigint, 0) AS population, t.term, t.holders FROM lanes l
        LEFT JOIN record_terms t ON t.term = ANY(${terms}::text[]) WHERE l.name = 'memory'`,
  );
  const holders = new Map(rows.map((row) => [row.term, row.holders ?? 0]));
  const frequencies = new Map(terms.map((term) => [term, holders.get(term) ?? 0]));
  return { frequencies, population: rows[0]!.population };
}

/** Rows of words that the viewer may see at all; the filter on the records themselves comes on top. */
function allowedWords({ viewer, filter }: TextQuery): Sql {
  if (filter.agent !== undefined) return sql`w.agent = ${filter.agent}`;
  if (viewer.role === 'admin') return raw('TRUE');
  return viewer.agent === undefined ? raw('w.shared') : sql`(w.agent = ${viewer.agent} OR w.shared)`;
}

export async function searchText(database: Database, query: TextQuery): Promise<TextCandidate[]> {
  const { viewer, now, filter, limit } = query;
  const terms = [...new Set(query.terms)];
  if (terms.length === 0 || limit < 1) return [];
  const rows = await recordIndex.best<RecordRow>(database, {
    words: terms,
    allowed: allowedWords(query),
    limit,
    columns: RECORD_COLUMNS,
    where: recordWhere(viewer, filter, ['live'], now),
  });
  return rows.map(({ score, ...row }) => ({ record: toRecord(row as RecordRow, now), textScore: score }));
}
