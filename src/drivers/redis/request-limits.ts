/** Requests of each key, counted in Redis for all servers: a bucket that fills steadily, by the clock of Redis. */
import type { Allowance, RequestLimits } from '../../ports/request-limits.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisKeys } from './keys.ts';
import { TAKE_REQUEST } from './scripts.ts';

export class RedisRequestLimits implements RequestLimits {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  async take({ key, perSecond, most }: Allowance): Promise<number> {
    const keys = [this.#keys.requests(key)];
    return Number(await this.#connection.run(TAKE_REQUEST, keys, [String(perSecond), String(most)]));
  }
}
