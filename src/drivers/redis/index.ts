/** The Redis driver: the working state and the messages of swarm runs, shared by machines. */
import type { Storage } from '../../ports/storage.ts';
import { RedisConnection } from './connection.ts';
import { RedisMessageBus } from './message-bus.ts';
import { RedisStateStore } from './state-store.ts';

export interface RedisOptions {
  /** redis://… or rediss://… */
  readonly url: string;
}

export async function openRedis({ url }: RedisOptions): Promise<Pick<Storage, 'state' | 'bus' | 'close'>> {
  const connection = await RedisConnection.open(url);
  return {
    state: new RedisStateStore(connection),
    bus: new RedisMessageBus(connection),
    close: async () => connection.close(),
  };
}
