/** Idempotency keys: which record an add with a key made, and for which text. Kept as hashes only. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { digestOf, noDigest } from '../common/digest.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-rows.ts';
import { sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

/** The record that an earlier add with this key made; CONFLICT when that add had another text. */
export async function findKey(
  transaction: WriteTransaction,
  agent: string,
  key: string,
  digest: Buffer,
): Promise<RecordRow | undefined> {
  const row = await transaction.row<RecordRow & { first_digest: Buffer }>(
    sql`SELECT ${RECORD_COLUMNS}, k.digest AS first_digest FROM record_keys k JOIN records r ON r.rid = k.rid
        WHERE k.agent = ${agent} AND k.key = ${digestOf(key)}`,
  );
  if (row?.forgotten_at != null) {
    // Nobody can tell any more whether it is the same text, and what was forgotten must not come back by a repeated call.
    throw new KeepsakeError(
      'FORGOTTEN',
      'The memory that this idempotency key stands for was forgotten; nothing was stored.',
      { hint: 'Use a new key to store it after all.', details: { id: row.id } },
    );
  }
  if (row === undefined || digest.equals(row.first_digest)) return row;
  throw new KeepsakeError('CONFLICT', 'This idempotency key was used before, for another memory.', {
    hint: 'Use a new key for a new memory, or the same text, category, scope and source for the same key.',
    details: { id: row.id },
  });
}

/** Notes the key. A key that is known already stays with its first record. */
export async function useKey(
  transaction: WriteTransaction,
  agent: string,
  key: string,
  rid: number,
  digest: Buffer,
): Promise<void> {
  await transaction.run(
    sql`INSERT INTO record_keys (agent, key, rid, digest) VALUES (${agent}, ${digestOf(key)}, ${rid}, ${digest})
        ON CONFLICT DO NOTHING`,
  );
}

/** Makes the text unrecognisable; the keys stay used up, so that a repeated add brings nothing back. */
export async function blurKeys(transaction: WriteTransaction, rids: readonly number[]): Promise<void> {
  await transaction.run(
    sql`UPDATE record_keys SET digest = ${noDigest()} WHERE rid = ANY(${rids}::bigint[])`,
  );
}
