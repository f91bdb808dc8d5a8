/** What the tests of text search in memory share: stores on one file, made-up texts, questions to compare. */
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openSqlite, type SqliteOptions } from '../../../../src/drivers/sqlite/index.ts';
import { RecordCache } from '../../../../src/drivers/sqlite/record-cache.ts';
import { ResidentSearch, type TextSearch } from '../../../../src/drivers/sqlite/text/index.ts';
import type { TextQuery } from '../../../../src/ports/record-store.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import { ADMIN, START } from '../../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

export const newFile = (): string => join(temporaryFolder(), 'k.db');

/** Closed after the test. */
export async function open(file: string, textSearch: SqliteOptions['textSearch'] = 'fts5'): Promise<Storage> {
  const storage = await openSqlite({ file, textSearch });
  onTestFinished(() => storage.close());
  return storage;
}

/** A look at the index in memory itself, on a connection of its own. */
export function residentOn(
  file: string,
  search: Exclude<TextSearch, 'fts5'> = 'resident',
): { database: Database; resident: ResidentSearch } {
  const database = new SqliteDatabase(file);
  onTestFinished(() => void database.close());
  return { database, resident: new ResidentSearch(database, new RecordCache(database), search) };
}

export const question = (terms: readonly string[], query: Partial<TextQuery> = {}): TextQuery => ({
  viewer: ADMIN,
  now: START,
  filter: {},
  limit: 10,
  terms,
  ...query,
});

export type Answer = readonly (readonly [id: string, score: number])[];

export async function answer({ records }: Storage, query: TextQuery): Promise<Answer> {
  return (await records.searchText(query)).map(({ record, textScore }) => [record.id, textScore] as const);
}

/** Undefined when the index in memory leaves the answer to FTS5. */
export function residentAnswer(resident: ResidentSearch, query: TextQuery): Answer | undefined {
  return resident.find(query)?.map(({ record, textScore }) => [record.id, textScore] as const);
}

export function textOf(word: () => string, length: number): string {
  return Array.from({ length }, word).join(' ');
}
