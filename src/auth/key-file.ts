/** The API keys of a workspace as a file that several processes may change: made, listed and revoked. */

import { DocumentFile } from '../documents/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileLock } from '../ports/file-lock.ts';
import { type ApiKey, checkNewKey, hashSecret, makeKeyId, makeSecret, type NewKeyInput } from './api-key.ts';
import { parseKeys, renderKeys, withoutHash } from './stored-keys.ts';

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
    const { name, role, agent, user, userPrefix } = checkNewKey(given);
    const id = makeKeyId();
    const key = makeSecret(id);
    const made: ApiKey = {
      ...{ id, name, role, createdAt: this.#parts.clock.now() },
      ...defined({ agent, user, userPrefix }),
    };
    const stored = { ...made, hash: hashSecret(key).toString('hex') };
    await this.#file.update((text) => renderKeys([...this.#parse(text), stored]));
    return { ...made, key };
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
      const index = placeOf(idOrName, keys);
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

function placeOf(idOrName: string, keys: readonly ApiKey[]): number {
  const byId = keys.findIndex(({ id }) => id === idOrName);
  if (byId !== -1) return byId;
  const named = keys.filter(({ name, revokedAt }) => name === idOrName && revokedAt === undefined);
  if (named.length === 1) return keys.indexOf(named[0]!);
  if (named.length === 0) {
    throw new KeepsakeError('NOT_FOUND', `There is no valid key ${idOrName}.`, {
      hint: 'Run "keepsake keys list" to see which there are.',
    });
  }
  throw new KeepsakeError('INVALID_INPUT', `${named.length} valid keys are called ${idOrName}.`, {
    hint: `Name one by its id: ${named.map(({ id }) => id).join(', ')}.`,
  });
}
