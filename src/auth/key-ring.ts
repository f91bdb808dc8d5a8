/** Looks up API keys for a server, and notices keys that other processes create or revoke. */
import { timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type ApiKey, hashSecret, idOfSecret, keyState } from './api-key.ts';
import { parseKeys, type StoredKey, withoutHash } from './stored-keys.ts';

export interface KeyRingOptions {
  /** data/keys.json. */
  readonly path: string;
  /** The secret of the owner, from data/server.key. */
  readonly serverSecret: string;
  readonly clock?: Clock;
}

export const OWNER_KEY: ApiKey = { id: 'server', name: 'server.key', role: 'admin', createdAt: 0 };

export class KeyRing {
  readonly #path: string;
  readonly #clock: Clock;
  /** Of all secrets that are the owner's. */
  readonly #ownerHashes: Buffer[];
  #keys: ReadonlyMap<string, StoredKey> = new Map();
  /** What the file looked like when it was read; it is always replaced, never rewritten in place. */
  #seen = '';

  constructor({ path, serverSecret, clock = systemClock }: KeyRingOptions) {
    this.#path = path;
    this.#clock = clock;
    this.#ownerHashes = [hashSecret(serverSecret)];
  }

  /** Takes another secret for the owner's, as long as this ring is used. */
  trust(secret: string): void {
    this.#ownerHashes.push(hashSecret(secret));
  }

  /** The key that a secret belongs to; undefined for wrong, expired and revoked ones alike. */
  find(secret: string): ApiKey | undefined {
    const id = idOfSecret(secret);
    if (id === undefined) return undefined;
    const hash = hashSecret(secret);
    if (this.#ownerHashes.some((owner) => timingSafeEqual(hash, owner))) return OWNER_KEY;
    const stored = this.#current().get(id);
    if (stored === undefined || !timingSafeEqual(hash, Buffer.from(stored.hash, 'hex'))) return undefined;
    return this.#isValid(stored) ? withoutHash(stored) : undefined;
  }

  /** Keys that somebody made, and that are neither expired nor revoked. */
  active(): readonly ApiKey[] {
    return [...this.#current().values()].filter((key) => this.#isValid(key)).map(withoutHash);
  }

  #isValid(key: ApiKey): boolean {
    return keyState(key, this.#clock.now()) === 'valid';
  }

  /** Looking at the file costs microseconds; a key that was revoked must not work a moment longer. */
  #current(): ReadonlyMap<string, StoredKey> {
    const stat = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    const seen = stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
    if (seen !== this.#seen) {
      const text = stat === undefined ? '' : readFileSync(this.#path, 'utf8');
      this.#keys = new Map(parseKeys(text, this.#path).map((key) => [key.id, key]));
      this.#seen = seen;
    }
    return this.#keys;
  }
}
