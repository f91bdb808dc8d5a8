/** Idempotency keys: which record an add with a key made, and for which text. Kept as hashes only. */
import type { Database } from 'better-sqlite3';
import type { FoundForAdd } from '../../records/rules/decide-add.ts';
import { keyDigest, noDigest } from '../common/digest.ts';
import type { StoredRow } from '../common/record-columns.ts';
import { RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';

type Owner = Pick<StoredRow, 'agent' | 'user'>;

export class RecordKeys {
  readonly #find;
  readonly #use;
  readonly #blur;

  constructor(database: Database) {
    this.#find = database.prepare(
      `SELECT ${RECORD_COLUMNS}, k.digest AS first_digest FROM record_keys k JOIN records r ON r.rid = k.rid
       WHERE k.agent = ? AND k.key = ?`,
    );
    this.#use = database.prepare(
      'INSERT OR IGNORE INTO record_keys (agent, key, rid, digest) VALUES (?, ?, ?, ?)',
    );
    this.#blur = database.prepare('UPDATE record_keys SET digest = ? WHERE rid = ?');
  }

  find(owner: Owner, key: string, digest: Buffer): FoundForAdd<StoredRow>['keyed'] {
    const row = this.#find.get(owner.agent, keyDigest(owner, key)) as
      | (RecordRow & { first_digest: Buffer })
      | undefined;
    return row && { row: toStored(row), isSameText: digest.equals(row.first_digest) };
  }

  /** Records that the key was used. A key that is known already stays with its first record. */
  use(owner: Owner, key: string, rid: number, digest: Buffer): void {
    this.#use.run(owner.agent, keyDigest(owner, key), rid, digest);
  }

  /** Makes the text unrecognisable; the keys stay used up, so that a repeated add brings nothing back. */
  forget(rid: number): void {
    this.#blur.run(noDigest(), rid);
  }
}
