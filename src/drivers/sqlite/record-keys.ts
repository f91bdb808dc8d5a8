/** Idempotency keys: which record an add with a key made, and for which text. Kept as hashes only. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { digestOf, noDigest } from '../common/digest.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-rows.ts';

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

  /** The record that an earlier add with this key made; CONFLICT when that add had another text. */
  find(agent: string, key: string, digest: Buffer): RecordRow | undefined {
    const row = this.#find.get(agent, digestOf(key)) as (RecordRow & { first_digest: Buffer }) | undefined;
    if (row?.forgotten_at != null) {
      // Nobody can tell any more whether it is the same text, and what was forgotten must not come back by a repeated call.
      throw new KeepsakeError(
        'FORGOTTEN',
        'The memory that this idempotency key stands for was forgotten; nothing was stored.',
        {
          hint: 'Use a new key to store it after all.',
          details: { id: row.id },
        },
      );
    }
    if (row === undefined || digest.equals(row.first_digest)) return row;
    throw new KeepsakeError('CONFLICT', 'This idempotency key was used before, for another memory.', {
      hint: 'Use a new key for a new memory, or the same text, category, scope and source for the same key.',
      details: { id: row.id },
    });
  }

  /** Notes the key. A key that is known already stays with its first record. */
  use(agent: string, key: string, rid: number, digest: Buffer): void {
    this.#use.run(agent, digestOf(key), rid, digest);
  }

  /** Makes the text unrecognisable; the keys stay used up, so that a repeated add brings nothing back. */
  forget(rid: number): void {
    this.#blur.run(noDigest(), rid);
  }
}
