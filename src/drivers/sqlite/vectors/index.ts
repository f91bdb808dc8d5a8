/** Vectors of records: stored with them, searched by the quickest way that this machine offers. */
import type { Database } from 'better-sqlite3';
import type { GroupWriter } from '../group-writer.ts';
import type { RecordCache } from '../record-cache.ts';
import type { VectorSearch } from './scanner.ts';
import { loadSqliteVec } from './sqlite-vec-scanner.ts';
import { SqliteVectorStore } from './vector-store.ts';

export type { SqliteVectorStore } from './vector-store.ts';

export async function openVectors(
  database: Database,
  writer: GroupWriter,
  records: RecordCache,
  search: VectorSearch,
): Promise<SqliteVectorStore> {
  if (search === 'sqlite-vec') await loadSqliteVec(database);
  return new SqliteVectorStore(database, writer, records, search);
}
