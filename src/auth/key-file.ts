/** The API keys of a workspace as a file that several processes may change: made, listed and revoked. */
import { DocumentFile } from '../documents/index.ts';
import type { Clock } from '../kernel/clock.ts';
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
    const { name, role, agent } = checkNewKey(given);
    const id = makeKeyId();
    const key = makeSecret(id);
    const made: ApiKey = {
      ...{ id, name, role, createdAt: this.#parts.clock.now() },
      ...(agent === undefined ? {} : { agent }),
    };
    const stored = { ...made, hash: hashSecret(key).toString('hex') };
    await this.#file.update((text) => renderKeys([...this.#parse(text), stored]));
    return { ...made, key };
  }

  /** Oldest first; revoked ones too. */
  async list(): Promise<readonly ApiKey[]> {
    return this.#parse((await this.#file.read()).text).map(withoutHash);
  }

  /** A server that is running refuses the key from the next request on. */
  async revoke(id: string): Promise<ApiKey> {
    let revoked: ApiKey | undefined;
    await this.#file.update((text) => {
      const keys = this.#parse(text);
      const index = keys.findIndex((key) => key.id === id);
      const found = keys[index];
      if (found === undefined) {
        throw new KeepsakeError('NOT_FOUND', `There is no key ${id}.`, {
          hint: 'Run "keepsake keys list" to see which there are.',
        });
      }
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
