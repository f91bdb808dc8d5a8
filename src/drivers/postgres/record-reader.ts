/** Reading records from Postgres: lists, histories and text search. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { ListQuery, TextCandidate, TextQuery } from '../../ports/record-store.ts';
import type { KeptVersion } from '../../records/rules/stored-records.ts';
import { keptVersion, type VersionRow } from '../common/record-columns.ts';
import type { Database } from './database.ts';
import { recordIndex } from './record-index.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';
import { recordWhere, wordsWhere } from './record-where.ts';
import type { Session } from './session.ts';
import { raw, sql } from './sql.ts';

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

/** Oldest first; without the present one. */
export async function earlierVersions(
  session: Pick<Session, 'rows'>,
  { rid }: Pick<RecordRow, 'rid'>,
): Promise<KeptVersion[]> {
  const rows = await session.rows<VersionRow>(
    sql`SELECT version, change, changed_at, changed_by, snapshot FROM record_versions
        WHERE rid = ${rid} ORDER BY version`,
  );
  return rows.map(keptVersion);
}

export async function searchText(database: Database, query: TextQuery): Promise<TextCandidate[]> {
  const { viewer, now, filter, limit } = query;
  const terms = [...new Set(query.terms)];
  if (terms.length === 0 || limit < 1) return [];
  const rows = await recordIndex.best<RecordRow>(database, {
    words: terms,
    allowed: wordsWhere(viewer, filter),
    limit,
    columns: RECORD_COLUMNS,
    where: recordWhere(viewer, filter, ['live'], now),
  });
  return rows.map(({ score, ...row }) => ({ record: toRecord(row as RecordRow, now), textScore: score }));
}
