/** Rewrites all tables, because their pages contain forgotten text until then. */
import type { VacuumReport } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { raw, sql } from './sql.ts';

const IN_THE_LOG =
  'the write-ahead log of the server, its archives and replicas, until the server recycles them';

/** One table after the other: each is locked while it is written again. */
export async function vacuumPostgres(database: Database): Promise<VacuumReport> {
  const { schema } = database.address;
  const tables = await database.rows<{ name: string }>(
    sql`SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = ${schema}`,
  );
  const size = async (): Promise<number> => {
    const row = await database.row<{ bytes: number }>(
      sql`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema} AND c.relkind = 'r'`,
    );
    return row!.bytes;
  };
  const before = await size();
  for (const { name } of tables) await database.rows(sql`VACUUM (FULL, ANALYZE) ${raw(name)}`);
  return { before, after: await size(), remains: [IN_THE_LOG] };
}
