/** Idempotency keys: which record an add with a key made, and for which text. Kept as hashes only. */
import type { FoundForAdd } from '../../records/rules/decide-add.ts';
import { keyDigest, noDigest } from '../common/digest.ts';
import type { StoredRow } from '../common/record-columns.ts';
import { RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';
import { sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

type Owner = Pick<StoredRow, 'agent' | 'user'>;

export async function findKey(
  transaction: WriteTransaction,
  owner: Owner,
  key: string,
  digest: Buffer,
): Promise<FoundForAdd<StoredRow>['keyed']> {
  const row = await transaction.row<RecordRow & { first_digest: Buffer }>(
    sql`SELECT ${RECORD_COLUMNS}, k.digest AS first_digest FROM record_keys k JOIN records r ON r.rid = k.rid
        WHERE k.agent = ${owner.agent} AND k.key = ${keyDigest(owner, key)}`,
  );
  return row && { row: toStored(row), isSameText: digest.equals(row.first_digest) };
}

/** Records that the key was used. A key that is known already stays with its first record. */
export async function useKey(
  transaction: WriteTransaction,
  owner: Owner,
  key: string,
  rid: number,
  digest: Buffer,
): Promise<void> {
  await transaction.run(
    sql`INSERT INTO record_keys (agent, key, rid, digest) VALUES (${owner.agent}, ${keyDigest(owner, key)}, ${rid}, ${digest})
        ON CONFLICT DO NOTHING`,
  );
}

/** Makes the text unrecognisable; the keys stay used up, so that a repeated add brings nothing back. */
export async function blurKeys(transaction: WriteTransaction, rids: readonly number[]): Promise<void> {
  await transaction.run(
    sql`UPDATE record_keys SET digest = ${noDigest()} WHERE rid = ANY(${rids}::bigint[])`,
  );
}
