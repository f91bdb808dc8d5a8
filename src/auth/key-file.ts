/** The API keys of a workspace as a file that several processes may change: made, listed and revoked. */

import { DocumentFile } from '../documents/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileLock } from '../ports/file-lock.ts';
import {
  type ApiKey,
  checkNewKey,
  hashSecret,
  keyState,
  makeKeyId,
  makeSecret,
  type NewKeyInput,
} from './api-key.ts';
import { parseKeys, renderKeys, type StoredKey, withoutHash } from './stored-keys.ts';

export interface KeyFileParts {
  readonly path: string;
  /** Root of the workspace. */
  readonly root: string;
  readonly lock: FileLock;
  readonly clock: Clock;
}

export interface CreatedKey extends ApiKey {
  /** The secret; it is shown this once. */
  readonly key: string;
}

export class KeyFile {
  readonly #parts: KeyFileParts;
  readonly #file: DocumentFile;

  constructor(parts: KeyFileParts) {
    this.#parts = parts;
    this.#file = new DocumentFile(parts);
  }

  async create(given: NewKeyInput): Promise<CreatedKey> {
    const now = this.#parts.clock.now();
    const made = newKey(checkNewKey(given), now);
    if (made.expiresAt !== undefined && made.expiresAt <= now) {
      throw new KeepsakeError('INVALID_INPUT', 'The expiry of a new key must be in the future.', {
        hint: 'For example --expires 90d.',
      });
    }
    await this.#file.update((text) => renderKeys([...this.#parse(text), stored(made)]));
    return made;
  }

  /** Creates a key with the same permissions, and lets the old one expire after the overlap. */
  async rotate(idOrName: string, overlapMs: number): Promise<CreatedKey> {
    let made: CreatedKey | undefined;
    await this.#file.update((text) => {
      const keys = this.#parse(text);
      const now = this.#parts.clock.now();
      const index = placeOf(idOrName, keys, now);
      const old = keys[index]!;
      if (keyState(old, now) !== 'valid') {
        throw new KeepsakeError('INVALID_INPUT', `The key ${old.id} is ${keyState(old, now)}.`, {
          hint: 'Create a new one with "keepsake keys create".',
        });
      }
      const { name, role, agent, user, userPrefix } = old;
      made = newKey({ name, role, agent, user, userPrefix, expiresAt: undefined }, now);
      keys[index] = {
        ...old,
        expiresAt: Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs),
      };
      return renderKeys([...keys, stored(made)]);
    });
    return made!;
  }

  /** Oldest first; revoked ones too. */
  async list(): Promise<readonly ApiKey[]> {
    return this.#parse((await this.#file.read()).text).map(withoutHash);
  }

  /** By its id, or by its name if no other valid key has it. A server that is running refuses it from the next request on. */
  async revoke(idOrName: string): Promise<ApiKey> {
    let revoked: ApiKey | undefined;
    await this.#file.update((text) => {
      const keys = this.#parse(text);
      const index = placeOf(idOrName, keys, this.#parts.clock.now());
      const found = keys[index]!;
      keys[index] = { ...found, revokedAt: found.revokedAt ?? this.#parts.clock.now() };
      revoked = withoutHash(keys[index]);
      return renderKeys(keys);
    });
    return revoked!;
  }

  #parse(text: string) {
    return parseKeys(text, this.#parts.path);
  }
}

function newKey(given: ReturnType<typeof checkNewKey>, now: number): CreatedKey {
  const { name, role, agent, user, userPrefix, expiresAt } = given;
  const id = makeKeyId();
  return {
    ...{ id, name, role, createdAt: now, key: makeSecret(id) },
    ...defined({ agent, user, userPrefix, expiresAt }),
  };
}

function stored({ key, ...made }: CreatedKey): StoredKey {
  return { ...made, hash: hashSecret(key).toString('hex') };
}

function placeOf(idOrName: string, keys: readonly ApiKey[], now: number): number {
  const byId = keys.findIndex(({ id }) => id === idOrName);
  if (byId !== -1) return byId;
  const named = keys.filter((key) => key.name === idOrName && keyState(key, now) === 'valid');
  if (named.length === 1) return keys.indexOf(named[0]!);
  if (named.length === 0) {
    throw new KeepsakeError('NOT_FOUND', `There is no valid key ${idOrName}.`, {
      hint: 'Run "keepsake keys list" to see the valid keys.',
    });
  }
  throw new KeepsakeError('INVALID_INPUT', `${named.length} valid keys are called ${idOrName}.`, {
    hint: `Use the id of one: ${named.map(({ id }) => id).join(', ')}.`,
  });
}
