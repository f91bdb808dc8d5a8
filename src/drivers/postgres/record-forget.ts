/** Forgetting: content, versions, words, vectors and hashes go, in one transaction; the row of the record stays. */
import type { WriteContext } from '../../ports/record-store.ts';
import {
  decideForget,
  type ErasePlan,
  erasureOf,
  type Forgotten,
} from '../../records/rules/decide-forget.ts';
import { noDigest } from '../common/digest.ts';
import type { StoredRow } from '../common/record-columns.ts';
import { addFacts } from './agent-counters.ts';
import type { PostgresEventStore } from './event-store.ts';
import { unindex } from './record-index.ts';
import { blurKeys } from './record-keys.ts';
import { findRecord } from './record-rows.ts';
import { sql } from './sql.ts';
import { eraseVectors } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

/** All of them or none. */
export async function forgetRecords(
  transaction: WriteTransaction,
  events: PostgresEventStore,
  ids: readonly string[],
  context: WriteContext,
): Promise<Forgotten[]> {
  const results: Forgotten[] = [];
  const rids: number[] = [];
  for (const id of ids) {
    const plan = decideForget(await findRecord(transaction, id), id, context);
    if (plan.outcome === 'forgotten') {
      results.push(plan.result);
      continue;
    }
    rids.push(plan.row.rid);
    const versions = await eraseContent(transaction, plan);
    if (plan.facts !== 0) await addFacts(transaction, plan.row, plan.facts);
    results.push(erasureOf(plan, versions, events.write(transaction, [plan.event])));
  }
  if (rids.length > 0) {
    await unindex(transaction, rids);
    await eraseVectors(transaction, rids);
    await blurKeys(transaction, rids);
    await events.blur(transaction, ids);
  }
  return results;
}

/** Resolves to the number of earlier versions that went. */
async function eraseContent(
  transaction: WriteTransaction,
  { row: { rid }, fields }: ErasePlan<StoredRow>,
): Promise<number> {
  const row = await transaction.row<{ versions: number }>(
    sql`WITH versions AS (DELETE FROM record_versions WHERE rid = ${rid} RETURNING 1), content AS (
          UPDATE records SET content = ${fields.content}, category = ${fields.category}, tags = ${fields.tags}::text[],
            metadata = ${JSON.stringify(fields.metadata)}, thread = ${fields.thread},
            forgotten_at = ${fields.forgottenAt}, updated_at = ${fields.updatedAt}, change = ${fields.change},
            changed_by = ${fields.changedBy}, counted = ${fields.counted}, digest = ${noDigest()} WHERE rid = ${rid}
        )
        SELECT count(*) AS versions FROM versions`,
  );
  return row!.versions;
}
