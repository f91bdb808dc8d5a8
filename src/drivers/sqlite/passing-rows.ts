/** The row numbers of the live records that pass a filter, found by an index wherever there is one. */
import type { Database } from 'better-sqlite3';
import type { Passing } from '../common/passing-reader.ts';
import { isNarrow, recordBranches } from './record-where.ts';
import { StatementCache } from './statement-cache.ts';

/** So many are compared one by one sooner than all others are scanned. */
const FEW = 256;

export class PassingRows {
  readonly #statements: StatementCache;

  constructor(database: Database) {
    this.#statements = new StatementCache(database);
  }

  all(query: Passing): number[] {
    return this.#read(query, -1);
  }

  /** Undefined when there are more than a few, or when it would take reading them all to know. */
  few(query: Passing): number[] | undefined {
    if (!isNarrow(query.viewer, query.filter)) return undefined;
    const rids = this.#read(query, FEW + 1);
    return rids.length > FEW ? undefined : rids;
  }

  #read({ viewer, filter, now }: Passing, limit: number): number[] {
    const branches = recordBranches(viewer, filter, ['live'], now, { inOrder: false });
    const sql = branches.map((branch) => `SELECT r.rid FROM records r WHERE ${branch.sql}`);
    const values = branches.flatMap((branch) => branch.values);
    const statement = this.#statements.get(`${sql.join(' UNION ALL ')} LIMIT +?`);
    return statement.pluck().all(...values, limit) as number[];
  }
}
