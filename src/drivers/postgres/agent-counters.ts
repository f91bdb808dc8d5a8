/** Agents as the database knows them: their names, which must not collide, and how many facts each may keep. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { foldAgentName } from '../../kernel/names.ts';
import type { AgentSummary } from '../../ports/record-store.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

export interface PrunedRow {
  readonly rid: number;
  readonly id: string;
  readonly agent: string;
  readonly category: string;
}

/** Registers a name on its first write; refuses one that differs from an existing one only by case. */
export async function ensureAgent(transaction: WriteTransaction, name: string, at: number): Promise<void> {
  const folded = foldAgentName(name);
  const added = await transaction.run(
    sql`INSERT INTO agents (name, folded, created_at) VALUES (${name}, ${folded}, ${at}) ON CONFLICT DO NOTHING`,
  );
  if (added === 1) return;
  const existing = await transaction.row<{ name: string }>(
    sql`SELECT name FROM agents WHERE folded = ${folded}`,
  );
  if (existing?.name === name) return;
  throw new KeepsakeError(
    'INVALID_NAME',
    `There is an agent "${existing?.name}"; "${name}" would share its folder.`,
    {
      hint: `Use "${existing?.name}", or choose a name that differs in more than upper and lower case.`,
    },
  );
}

/** Resolves to the number of facts. */
export async function addFacts(
  transaction: WriteTransaction,
  agent: string,
  difference: number,
): Promise<number> {
  const row = await transaction.row<{ facts: number }>(
    sql`UPDATE agents SET facts = facts + ${difference} WHERE name = ${agent} RETURNING facts`,
  );
  return row?.facts ?? 0;
}

/** Takes the weakest records out of search so that at most `limit` facts stay; `facts` is how many there are now. */
export async function prune(
  transaction: WriteTransaction,
  agent: string,
  facts: number,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<PrunedRow[]> {
  if (facts <= limit) return [];
  // Facts that expired by themselves still hold a place; let go of them before pruning a living one.
  const released = await transaction.run(
    sql`UPDATE records SET counted = FALSE WHERE agent = ${agent} AND counted AND expires_at <= ${now}`,
  );
  const excess = Math.max(0, facts - released - limit);
  const pruned = await transaction.rows<PrunedRow>(
    sql`WITH weakest AS (
          SELECT rid FROM records WHERE agent = ${agent} AND counted AND NOT pinned
          ORDER BY source, confidence, updated_at, rid LIMIT ${excess}
        ), pruned AS (
          UPDATE records r SET expires_at = ${now}, expiry_reason = 'maxEntries', counted = FALSE
          FROM weakest w WHERE r.rid = w.rid
          RETURNING r.rid, r.id, r.agent, r.category, r.source, r.confidence, r.updated_at
        )
        SELECT rid, id, agent, category FROM pruned ORDER BY source, confidence, updated_at, rid`,
  );
  if (released + pruned.length > 0) await addFacts(transaction, agent, -(released + pruned.length));
  return pruned;
}

export function allAgents(database: Database): Promise<AgentSummary[]> {
  return database.rows(sql`SELECT name, created_at AS "createdAt", facts FROM agents ORDER BY name`);
}
