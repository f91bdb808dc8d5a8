/** Checks that superseded records have ended; with `fix`, ends them at the time when their successor became valid. */
import type { Finding } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { applyCheck } from './examine-check.ts';
import { raw, sql } from './sql.ts';

const NOW = raw('(extract(epoch FROM now()) * 1000)::bigint');
/** Records that were superseded, and are valid all the same. */
const REVIVED = sql`r.superseded_by IS NOT NULL AND r.forgotten_at IS NULL
  AND r.expiry_reason IS DISTINCT FROM 'superseded' AND (r.expires_at IS NULL OR r.expires_at > ${NOW})`;

export async function examineSuperseded(database: Database, fix: boolean): Promise<Finding> {
  const revived = await countRevived(database);
  return applyCheck(
    {
      check: 'records.superseded',
      fine: 'What was superseded has ended.',
      message: `${revived} records are found although others took their place.`,
      hint: 'Run "keepsake doctor --fix" to end them when their successors took effect.',
      repair: () => endRevived(database),
      isRepaired: async () => (await countRevived(database)) === 0,
    },
    revived === 0,
    fix,
  );
}

async function countRevived(database: Database): Promise<number> {
  const row = await database.row<{ count: number }>(
    sql`SELECT count(*) AS count FROM records r WHERE ${REVIVED}`,
  );
  return row!.count;
}

function endRevived(database: Database): Promise<unknown> {
  return database.transaction((session) =>
    session.run(
      sql`WITH revived AS (SELECT rid, agent, user_id, counted FROM records r WHERE ${REVIVED} FOR UPDATE),
          ended AS (
            UPDATE records r SET expiry_reason = 'superseded', counted = FALSE, expires_at = least(${NOW},
              greatest(coalesce(r.valid_from, r.created_at), coalesce(
                (SELECT coalesce(n.valid_from, n.created_at) FROM records n WHERE n.id = r.superseded_by), ${NOW})))
            FROM revived WHERE r.rid = revived.rid
          ),
          with_users AS (
            UPDATE agent_users u SET facts = u.facts - freed.count
            FROM (SELECT agent, user_id, count(*) AS count FROM revived WHERE counted GROUP BY agent, user_id) freed
            WHERE u.agent = freed.agent AND u.user_id = freed.user_id
          )
          UPDATE agents SET facts = facts - freed.count
          FROM (SELECT agent, count(*) AS count FROM revived WHERE counted AND user_id = '' GROUP BY agent) freed
          WHERE name = freed.agent`,
    ),
  );
}
