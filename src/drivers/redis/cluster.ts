/** A Redis cluster with the interface of one server: each command goes to the node of its key. */
import type { Client } from './client.ts';

/** The part of the cluster client of the package `redis` that is used here. */
export interface ClusterClient {
  on(event: string, listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  duplicate(): ClusterClient;
  sendCommand(key: string | undefined, isReadonly: boolean, args: readonly string[]): Promise<unknown>;
  destroy(): void;
}

/** Where in the arguments of a command its first key stands; undefined when it has none. */
export function firstKey([name, ...rest]: readonly string[]): string | undefined {
  if (name === 'PING') return undefined;
  if (name === 'EVAL' || name === 'EVALSHA') return rest[2];
  if (name === 'XREAD') return rest[rest.indexOf('STREAMS') + 1];
  return rest[0];
}

export function asOneServer(cluster: ClusterClient): Client {
  let isReady = false;
  return {
    get isReady() {
      return isReady;
    },
    on: (event, listener) => cluster.on(event, listener),
    connect: async () => {
      await cluster.connect();
      isReady = true;
    },
    duplicate: () => asOneServer(cluster.duplicate()),
    sendCommand: (args) => cluster.sendCommand(firstKey(args), false, args),
    destroy: () => cluster.destroy(),
  };
}
