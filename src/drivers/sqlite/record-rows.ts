/** Rows of the records table in SQLite, where tags are JSON and flags are numbers. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { StoredRecord } from '../../ports/record-store.ts';
import { recordAt } from '../../records/rules/stored-records.ts';
import {
  RECORD_COLUMN_LIST,
  type RecordColumns,
  type StoredRow,
  storedRow,
} from '../common/record-columns.ts';
import { storedJson } from '../common/stored-json.ts';
import type { Indexed } from './text/index.ts';

export type RecordRow = { -readonly [Column in keyof RecordColumns]: RecordColumns[Column] } & {
  tags: string;
  pinned: 0 | 1;
  counted: 0 | 1;
};

export const RECORD_COLUMNS = RECORD_COLUMN_LIST;

export function toStored(row: RecordRow): StoredRow {
  const tags = storedJson<string[]>(row.tags);
  return storedRow(row, { tags, pinned: row.pinned === 1, counted: row.counted === 1 });
}

export function toRecord(row: RecordRow, now: number): MemoryRecord {
  return recordAt(toStored(row), now);
}

/** What the text index holds of a record. */
export function toIndexed({ agent, user, scope, category, content, tags }: IndexedFields): Indexed {
  return { agent, user, scope, category, content, tags: JSON.stringify(tags) };
}

type IndexedFields = Pick<StoredRecord, 'agent' | 'user' | 'scope' | 'category' | 'content' | 'tags'>;
