/** The names of keys in Redis: each workspace has its own, unless several name a shared namespace. */

export class RedisKeys {
  readonly #prefix: string;
  /** All runs, by the time of their start. */
  readonly runs: string;

  constructor(namespace?: string) {
    this.#prefix = namespace === undefined ? 'keepsake' : `keepsake:${namespace}`;
    this.runs = `${this.#prefix}:runs`;
  }

  /** The braces keep all keys of a run on one node of a cluster. */
  of(run: string, what: 'run' | 'state' | 'feed' | 'messages'): string {
    return `${this.#prefix}:{${run}}:${what}`;
  }

  requests(key: string): string {
    return `${this.#prefix}:requests:{${key}}`;
  }
}
