/** Agents as the database knows them: their names, which must not collide, and how many facts each may keep. */
import { foldAgentName } from '../../kernel/names.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { AgentSummary, WriteContext } from '../../ports/record-store.ts';
import { isKnownAgent } from '../../records/rules/agent-names.ts';
import { type Candidate, decidePrune, overflowOf, type PrunePlan } from '../../records/rules/decide-prune.ts';
import { userColumn, WEAKEST_FIRST_COLUMNS } from '../common/record-columns.ts';
import type { Database } from './database.ts';
import { raw, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

/** Whose facts are counted together. */
export type Owner = Pick<MemoryRecord, 'agent' | 'user'>;

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
  isKnownAgent(name, existing?.name);
}

/** Resolves to the number of facts. */
export async function addFacts(
  transaction: WriteTransaction,
  { agent, user }: Owner,
  difference: number,
): Promise<number> {
  const row = await transaction.row<{ facts: number }>(
    user === null
      ? sql`UPDATE agents SET facts = facts + ${difference} WHERE name = ${agent} RETURNING facts`
      : sql`UPDATE agent_users SET facts = facts + ${difference}
            WHERE agent = ${agent} AND user_id = ${user} RETURNING facts`,
  );
  return row?.facts ?? 0;
}

/** Takes the weakest records out of search until at most `limit` facts stay; `facts` is how many there are now. */
export async function prune(
  transaction: WriteTransaction,
  owner: Owner,
  { facts, limit }: { readonly facts: number; readonly limit: number },
  context: WriteContext,
): Promise<Pick<PrunePlan, 'pruned' | 'events'>> {
  if (overflowOf(facts, limit) === 0) return { pruned: [], events: [] };
  const of = sql`agent = ${owner.agent} AND user_id = ${userColumn(owner.user)}`;
  const released = await transaction.run(
    sql`UPDATE records SET counted = FALSE WHERE ${of} AND counted AND expires_at <= ${context.at}`,
  );
  const weakest = await transaction.rows<Candidate>(
    sql`SELECT id, agent, NULLIF(user_id, '') AS "user", category FROM records WHERE ${of} AND counted AND NOT pinned
        ORDER BY ${raw(WEAKEST_FIRST_COLUMNS)} LIMIT ${overflowOf(facts - released, limit)}`,
  );
  const plan = decidePrune(weakest, limit, context);
  const { expiresAt, expiryReason, counted } = plan.fields;
  if (released + weakest.length > 0) {
    await transaction.run(
      sql`UPDATE records SET expires_at = ${expiresAt}, expiry_reason = ${expiryReason}, counted = ${counted}
          WHERE id = ANY(${plan.pruned}::text[])`,
    );
    await addFacts(transaction, owner, plan.facts - released);
  }
  return plan;
}

export function allAgents(database: Database): Promise<AgentSummary[]> {
  return database.rows(sql`SELECT name, created_at AS "createdAt",
          facts + (SELECT COALESCE(sum(u.facts), 0)::int FROM agent_users u WHERE u.agent = name) AS facts
        FROM agents WHERE name <> '' ORDER BY name`);
}
