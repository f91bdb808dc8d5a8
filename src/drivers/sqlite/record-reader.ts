/** Reading records from SQLite: lists, histories and text search. */
import type { Database } from 'better-sqlite3';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type {
  ListQuery,
  TermStatistics,
  TermTable,
  TextCandidate,
  TextQuery,
} from '../../ports/record-store.ts';
import type { KeptVersion } from '../../records/rules/stored-records.ts';
import { keptVersion, type VersionRow } from '../common/record-columns.ts';
import { matchExpression } from './match-expression.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';
import { recordBranches, recordWhere } from './record-where.ts';
import { StatementCache } from './statement-cache.ts';
import type { TextIndex } from './text-index.ts';

export class RecordReader {
  readonly #statements: StatementCache;
  readonly #index: TextIndex;
  readonly #versions;

  constructor(database: Database, index: TextIndex) {
    this.#statements = new StatementCache(database);
    this.#index = index;
    this.#versions = database.prepare('SELECT * FROM record_versions WHERE rid = ? ORDER BY version');
  }

  list({ viewer, now, filter, states = ['live'], limit, after }: ListQuery): MemoryRecord[] {
    const branches = recordBranches(viewer, filter, states, now, { inOrder: true });
    const page = after === undefined ? '' : 'AND r.rid < (SELECT rid FROM records WHERE id = ?)';
    const sql = branches.map((where) => `SELECT ${RECORD_COLUMNS} FROM records r WHERE ${where.sql} ${page}`);
    const values = branches.flatMap((where) => [...where.values, ...(after === undefined ? [] : [after])]);
    const rows = this.#statements
      .get(`${sql.join(' UNION ALL ')} ORDER BY rid DESC LIMIT +?`)
      .all(...values, limit) as RecordRow[];
    return rows.map((row) => toRecord(row, now));
  }

  /** Oldest first; without the present one. */
  earlierVersions({ rid }: Pick<RecordRow, 'rid'>): KeptVersion[] {
    return (this.#versions.all(rid) as VersionRow[]).map(keptVersion);
  }

  termStatistics(terms: readonly string[], viewer: Viewer): TermStatistics {
    return this.#index.resident?.statistics(terms, viewer) ?? this.#index.statistics(terms, viewer);
  }

  termTable(ids: readonly string[], terms: readonly string[]): TermTable | undefined {
    return this.#index.resident?.table(ids, terms);
  }

  searchText(query: TextQuery): TextCandidate[] {
    if (query.terms.length === 0 || query.limit < 1) return [];
    const distinct = { ...query, terms: [...new Set(query.terms)] };
    return this.#index.resident?.find(distinct) ?? this.#searchIndex(distinct);
  }

  #searchIndex({ viewer, now, filter, terms, limit }: TextQuery): TextCandidate[] {
    const where = recordWhere(viewer, filter, ['live'], now);
    // The index alone is put in order, equal scores by the newest; then the join drops what is not allowed, and LIMIT stops
    // it: filtered before cut. The inner LIMIT keeps SQLite from merging the two, which would read every matching record.
    const rows = this.#statements
      .get(
        `SELECT ${RECORD_COLUMNS}, found.rank FROM
           (SELECT rowid AS rid, rank FROM records_text WHERE records_text MATCH ? ORDER BY rank, rowid DESC LIMIT -1) found
         CROSS JOIN records r ON r.rid = found.rid WHERE ${where.sql} LIMIT +?`,
      )
      .all(matchExpression(terms, viewer, filter), ...where.values, limit) as (RecordRow & {
      rank: number;
    })[];
    return rows.map((row) => ({ record: toRecord(row, now), textScore: -row.rank }));
  }
}
