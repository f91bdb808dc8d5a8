/** The Redis driver: swarm runs with their working state and their messages, limits of requests, and news of events, shared by machines. */
import type { Storage } from '../../ports/storage.ts';
import { RedisConnection } from './connection.ts';
import { isNamed } from './event-news.ts';
import { fannedOut } from './event-store.ts';
import { RedisKeys } from './keys.ts';
import { RedisMessageBus } from './message-bus.ts';
import { RedisRequestLimits } from './request-limits.ts';
import { RedisRunStore } from './run-store.ts';
import { RedisStateStore } from './state-store.ts';

export { examineRedis } from './examine.ts';

export interface RedisOptions {
  /** redis://… or rediss://… */
  readonly url: string;
  /** Stores with the same one share runs. Default: that of the main store, which no other workspace has. */
  readonly namespace?: string | undefined;
}

type Shared = Required<Pick<Storage, 'state' | 'bus' | 'runs' | 'limits'>>;

function storesOf(connection: RedisConnection, namespace: string | undefined): Shared {
  const keys = new RedisKeys(namespace);
  return {
    state: new RedisStateStore(connection, keys),
    bus: new RedisMessageBus(connection, keys),
    runs: new RedisRunStore(connection, keys),
    limits: new RedisRequestLimits(connection, keys),
  };
}

export async function openRedis({ url, namespace }: RedisOptions): Promise<Shared & Pick<Storage, 'close'>> {
  const connection = await RedisConnection.open(url);
  return { ...storesOf(connection, namespace), close: async () => connection.close() };
}

/** The same storage with what Redis shares; whoever writes an event wakes all servers. Does not wait for Redis. */
export async function withRedis(main: Storage, { url, namespace }: RedisOptions): Promise<Storage> {
  const own = namespace ?? (await main.events.identity?.());
  const connection = await RedisConnection.open(url);
  const fanned = isNamed(main.events) ? fannedOut(main.events, connection) : undefined;
  const close = async (): Promise<void> => {
    try {
      await fanned?.settled();
      await main.close();
      // What was still under way is committed now.
      await fanned?.settled();
    } finally {
      connection.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    ...main,
    ...storesOf(connection, own),
    events: fanned ?? main.events,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
