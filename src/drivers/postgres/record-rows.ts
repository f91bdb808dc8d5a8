/** Rows of the records table in Postgres, where tags are an array and flags are booleans. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { StoredRecord } from '../../ports/record-store.ts';
import { recordAt } from '../../records/rules/stored-records.ts';
import {
  RECORD_COLUMN_LIST,
  type RecordColumns,
  type StoredRow,
  storedRow,
} from '../common/record-columns.ts';
import { type Asking, raw, sql } from './sql.ts';

export type RecordRow = RecordColumns & Pick<StoredRecord, 'tags' | 'pinned' | 'counted'>;

export const RECORD_COLUMNS = raw(RECORD_COLUMN_LIST);

export function toStored(row: RecordRow): StoredRow {
  return storedRow(row, row);
}

export function toRecord(row: RecordRow, now: number): MemoryRecord {
  return recordAt(toStored(row), now);
}

export async function findRecord(session: Asking, id: string): Promise<StoredRow | undefined> {
  const row = await session.row<RecordRow>(sql`SELECT ${RECORD_COLUMNS} FROM records r WHERE r.id = ${id}`);
  return row && toStored(row);
}
