/** Checks whether Postgres cleans up after updates and deletes: dead rows, autovacuum, transactions that hold it up. */
import type { Finding } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Autovacuum comes at a fifth of the rows; below this number a table is too small to matter. */
const DEAD_ROWS = 10_000;
const DEAD_SHARE = 0.5;
const LONG_TRANSACTION_MS = 3_600_000;

interface TableFacts {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  readonly off: boolean;
}

interface HolderFacts {
  readonly program: string;
  readonly pid: number;
  readonly seconds: number;
}

const count = (value: number): string => Math.round(value).toLocaleString('en');
const names = (tables: readonly TableFacts[]): string => tables.map(({ name }) => `"${name}"`).join(', ');

export interface BloatOptions {
  readonly longTransactionMs?: number | undefined;
}

export async function examineBloat(
  database: Database,
  { longTransactionMs = LONG_TRANSACTION_MS }: BloatOptions = {},
): Promise<Finding> {
  const { schema } = database.address;
  const tables = await database.rows<TableFacts>(
    sql`SELECT s.relname AS name, s.n_live_tup::float8 AS live, s.n_dead_tup::float8 AS dead,
          coalesce(array_to_string(c.reloptions, ','), '') ~ 'autovacuum_enabled=(false|off|0|no)' AS off
        FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
        WHERE s.schemaname = ${schema} ORDER BY s.relname`,
  );
  const server = await database.row<{ autovacuum: string }>(
    sql`SELECT current_setting('autovacuum') AS autovacuum`,
  );
  const holder = await database.row<HolderFacts>(
    sql`SELECT coalesce(nullif(application_name, ''), 'an unnamed program') AS program, pid,
          extract(epoch FROM now() - xact_start)::float8 AS seconds
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND xact_start IS NOT NULL AND backend_type = 'client backend'
          AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
          AND extract(epoch FROM now() - xact_start) * 1000 >= ${longTransactionMs} ORDER BY xact_start LIMIT 1`,
  );
  const bloated = tables.filter(({ live, dead }) => dead >= DEAD_ROWS && dead > live * DEAD_SHARE);
  const off = tables.filter((table) => table.off);
  const said = [
    ...bloated.map(
      ({ name, live, dead }) => `"${name}" has ${count(dead)} deleted rows beside ${count(live)}.`,
    ),
    ...(server!.autovacuum === 'off' ? ['autovacuum is off for the whole server.'] : []),
    ...(off.length > 0 ? [`autovacuum is off for ${names(off)}.`] : []),
    ...(holder === undefined
      ? []
      : [
          `A transaction of "${holder.program}" (process ${holder.pid}) has been open for ${count(holder.seconds / 60)} minutes; deleted rows stay until it ends.`,
        ]),
  ];
  if (said.length === 0) {
    return { check: 'database.bloat', severity: 'ok', message: 'Deleted rows are cleaned up by autovacuum.' };
  }
  const vacuum = bloated.map(({ name }) => `VACUUM (ANALYZE) ${schema}.${name};`).join(' ');
  const hint = [
    ...(holder === undefined ? [] : ['End that transaction.']),
    ...(off.length > 0 || server!.autovacuum === 'off' ? ['Switch autovacuum on.'] : []),
    ...(vacuum === '' ? [] : [`Run in psql: ${vacuum} It does not block anybody.`]),
  ].join(' ');
  return { check: 'database.bloat', severity: 'notice', message: said.join(' '), hint };
}
