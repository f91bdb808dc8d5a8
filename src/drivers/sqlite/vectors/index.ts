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
  { search, hasFallback }: { readonly search: VectorSearch; readonly hasFallback: boolean },
): Promise<SqliteVectorStore> {
  return new SqliteVectorStore(database, writer, records, await usableSearch(database, search, hasFallback));
}

/** A machine on which the extension cannot be loaded gives the same answers another way. */
export async function usableSearch(
  database: Database,
  search: VectorSearch,
  hasFallback: boolean,
): Promise<VectorSearch> {
  if (search !== 'sqlite-vec') return search;
  try {
    await loadSqliteVec(database);
    return search;
  } catch (error) {
    if (!hasFallback) throw error;
    // Node lists below the first line which file required the package, which helps nobody here.
    const [cause] =
      error instanceof Error && error.cause instanceof Error ? error.cause.message.split('\n') : [];
    const reason = cause === undefined ? '' : ` (${cause})`;
    process.emitWarning(`sqlite-vec cannot be loaded, so vectors are searched with "wasm"${reason}.`, {
      type: 'KeepsakeWarning',
      code: 'SQLITE_VEC_MISSING',
    });
    return 'wasm';
  }
}
