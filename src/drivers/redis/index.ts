/** The Redis driver: swarm runs with their working state and their messages, and limits of requests, shared by machines. */
import type { Storage } from '../../ports/storage.ts';
import { RedisConnection } from './connection.ts';
import { RedisMessageBus } from './message-bus.ts';
import { RedisRequestLimits } from './request-limits.ts';
import { RedisRunStore } from './run-store.ts';
import { RedisStateStore } from './state-store.ts';

export interface RedisOptions {
  /** redis://… or rediss://… */
  readonly url: string;
}

export async function openRedis({
  url,
}: RedisOptions): Promise<Required<Pick<Storage, 'state' | 'bus' | 'runs' | 'limits' | 'close'>>> {
  const connection = await RedisConnection.open(url);
  return {
    state: new RedisStateStore(connection),
    bus: new RedisMessageBus(connection),
    runs: new RedisRunStore(connection),
    limits: new RedisRequestLimits(connection),
    close: async () => connection.close(),
  };
}
