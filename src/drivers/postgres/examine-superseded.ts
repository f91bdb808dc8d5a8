/** Whether what was superseded has ended; with `fix`, ends it when its successor began to hold. */
import type { Finding } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { raw, sql } from './sql.ts';

const NOW = raw('(extract(epoch FROM now()) * 1000)::bigint');
/** Records that others took the place of, and that hold all the same. */
const REVIVED = sql`r.superseded_by IS NOT NULL AND r.forgotten_at IS NULL
  AND r.expiry_reason IS DISTINCT FROM 'superseded' AND (r.expires_at IS NULL OR r.expires_at > ${NOW})`;

export async function examineSuperseded(database: Database, fix: boolean): Promise<Finding> {
  const check = 'records.superseded';
  const count = async (): Promise<number> =>
    (await database.row<{ count: number }>(sql`SELECT count(*) AS count FROM records r WHERE ${REVIVED}`))!
      .count;
  const revived = await count();
  if (revived === 0) return { check, severity: 'ok', message: 'What was superseded has ended.' };
  const problem: Finding = {
    check,
    severity: 'problem',
    message: `${revived} records are found although others took their place.`,
    hint: 'Run "keepsake doctor --fix" to end them when the others began to hold.',
    fixable: true,
  };
  if (!fix) return problem;
  await database.transaction((session) =>
    session.run(
      sql`WITH revived AS (SELECT rid, agent, counted FROM records r WHERE ${REVIVED} FOR UPDATE),
          ended AS (
            UPDATE records r SET expiry_reason = 'superseded', counted = FALSE, expires_at = least(${NOW},
              greatest(coalesce(r.valid_from, r.created_at), coalesce(
                (SELECT coalesce(n.valid_from, n.created_at) FROM records n WHERE n.id = r.superseded_by), ${NOW})))
            FROM revived WHERE r.rid = revived.rid
          )
          UPDATE agents SET facts = facts - freed.count
          FROM (SELECT agent, count(*) AS count FROM revived WHERE counted GROUP BY agent) freed
          WHERE name = freed.agent`,
    ),
  );
  return { ...problem, fixed: (await count()) === 0 };
}
