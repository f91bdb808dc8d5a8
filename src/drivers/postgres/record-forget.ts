/** Forgetting: content, versions, words, vectors and hashes go, in one transaction; the place of the record stays. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Erasure, WriteContext } from '../../ports/record-store.ts';
import { noDigest } from '../common/digest.ts';
import { forgottenEvent } from '../common/record-events.ts';
import { addFacts } from './agent-counters.ts';
import type { PostgresEventStore } from './event-store.ts';
import { unindex } from './record-index.ts';
import { blurKeys } from './record-keys.ts';
import type { RecordRow } from './record-rows.ts';
import { author, changeableRow } from './record-writer.ts';
import { sql } from './sql.ts';
import { eraseVectors } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

type Forgotten = Omit<Erasure, 'journalErased' | 'pagesErased'>;

/** All of them or none. */
export async function forgetRecords(
  transaction: WriteTransaction,
  events: PostgresEventStore,
  ids: readonly string[],
  context: WriteContext,
): Promise<Forgotten[]> {
  const erasures: Forgotten[] = [];
  const rids: number[] = [];
  for (const id of ids) {
    const row = await unforgotten(transaction, id, context);
    if (row === undefined) {
      erasures.push({ id, characters: 0, versions: 0, indexEntries: 0, events: [] });
      continue;
    }
    rids.push(row.rid);
    const versions = await eraseContent(transaction, row, context);
    if (row.counted) await addFacts(transaction, row.agent, -1);
    erasures.push({
      ...{ id, characters: row.content.length, versions: versions + 1, indexEntries: 1 },
      events: events.write(transaction, [forgottenEvent(id, row.agent, context)]),
    });
  }
  if (rids.length > 0) {
    await unindex(transaction, rids);
    await eraseVectors(transaction, rids);
    await blurKeys(transaction, rids);
    await events.blur(transaction, ids);
  }
  return erasures;
}

/** Undefined when it was forgotten before. */
async function unforgotten(
  transaction: WriteTransaction,
  id: string,
  context: WriteContext,
): Promise<RecordRow | undefined> {
  try {
    return await changeableRow(transaction, id, undefined, context);
  } catch (error) {
    if (KeepsakeError.is(error) && error.code === 'FORGOTTEN') return undefined;
    throw error;
  }
}

/** Says how many earlier versions went. */
async function eraseContent(
  transaction: WriteTransaction,
  { rid }: RecordRow,
  context: WriteContext,
): Promise<number> {
  const row = await transaction.row<{ versions: number }>(
    sql`WITH versions AS (DELETE FROM record_versions WHERE rid = ${rid} RETURNING 1), content AS (
          UPDATE records SET content = '', category = '', tags = '{}', metadata = '{}', thread = NULL,
            forgotten_at = ${context.at}, updated_at = ${context.at}, change = 'updated',
            changed_by = ${author(context)}, counted = FALSE, digest = ${noDigest()} WHERE rid = ${rid}
        )
        SELECT count(*) AS versions FROM versions`,
  );
  return row!.versions;
}
