/** Clients of the package `redis`, loaded when it is first needed, and what our connections ask of them. */
import { readFileSync } from 'node:fs';
import { KeepsakeError } from '../../kernel/errors.ts';
import { loadPackage } from '../../runtime/load-package.ts';
import { asOneServer, type ClusterClient } from './cluster.ts';

/** The part of the client of the package that is used here. */
export interface Client {
  readonly isReady: boolean;
  on(event: string, listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  duplicate(): Client;
  sendCommand(args: readonly string[]): Promise<unknown>;
  destroy(): void;
}

interface Package {
  createClient(options: object): Client;
  createCluster(options: object): ClusterClient;
}

/** One attempt to connect is given up after so long, and made again. */
const CONNECT_MS = 1_000;
/** Answers of version 3 of the protocol have other shapes. */
const RESP = 2;
/** A write that waits for a server that never comes back would look like one that is slow. */
const PATIENT = { disableOfflineQueue: true };
/** `redis+cluster://host:port` names one node of a cluster; it knows the others. */
const CLUSTER = /^(rediss?)\+cluster:/;

/** Rebuilt for each client, which writes into it. `?ca=` names a file with the authority that signed the certificate. */
function socketFor(url: URL): object {
  const authority = url.searchParams.get('ca');
  url.searchParams.delete('ca');
  return {
    connectTimeout: CONNECT_MS,
    reconnectStrategy: (tries: number) => Math.min(25 * 2 ** tries, 500),
    ...(url.protocol === 'rediss:' ? { tls: true } : {}),
    ...(authority === null ? {} : { ca: readAuthority(authority) }),
  };
}

function readAuthority(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new KeepsakeError('INVALID_CONFIG', `The certificate ${file} of Redis cannot be read.`, {
      cause,
      hint: 'Name a file in PEM: rediss://host:6380?ca=/path/of/ca.pem.',
    });
  }
}

export async function createRedis(url: string): Promise<Client> {
  let redis: Package;
  try {
    redis = loadPackage<Package>('redis');
  } catch (error) {
    throw new KeepsakeError('UNSUPPORTED', 'The package "redis" is not installed.', {
      cause: error,
      hint: 'Install it with "npm install redis", or use the embedded storage.',
    });
  }
  try {
    const node = new URL(url.replace(CLUSTER, '$1:'));
    const socket = socketFor(node);
    const given = { ...PATIENT, RESP, socket };
    if (!CLUSTER.test(url)) return redis.createClient({ ...given, url: node.href });
    const { username, password } = node;
    const login = {
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    };
    // The nodes tell each other's addresses without a password: it goes for all of them.
    const defaults = { ...login, ...given };
    return asOneServer(redis.createCluster({ rootNodes: [{ url: node.href }], RESP, defaults }));
  } catch (error) {
    if (KeepsakeError.is(error)) throw error;
    throw new KeepsakeError('INVALID_CONFIG', 'The URL of Redis cannot be understood.', {
      // Without the error itself: it repeats the address, which may hold a password.
      cause: (error as NodeJS.ErrnoException).code,
      hint: 'It looks like redis://127.0.0.1:6379, rediss://user:password@host:6380/0 or redis+cluster://host:7000.',
    });
  }
}

const LOOK_MS = 10;
/** Of the user or of the certificate, not of the moment: waiting does not help. */
const HOPELESS = /^(WRONGPASS|NOAUTH|NOPERM)|certificate/i;
const refusals = new WeakMap<Client, Error>();

/** Until the server can be reached, or nobody waits any more. */
export async function whenReady(client: Client, isOver: () => boolean): Promise<void> {
  while (!client.isReady) {
    const refusal = refusals.get(client);
    if (refusal !== undefined) throw refusal;
    if (isOver()) throw new Error('not connected');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (isOver()) throw new Error('not connected');
}

export function start(client: Client): void {
  // Without a listener, an error of the connection would end the process; it tries again by itself.
  const note = (error: unknown): void => {
    if (error instanceof Error && HOPELESS.test(error.message)) refusals.set(client, error);
    else refusals.delete(client);
  };
  client.on('error', note);
  const endIfDestroyed = (): void => {
    if (destroyed.has(client)) destroy(client);
  };
  client.on('ready', endIfDestroyed);
  client.connect().then(endIfDestroyed, note);
}

/** One that is destroyed while it connects opens its socket all the same, which would keep the process from ending. */
const destroyed = new WeakSet<Client>();

export function destroy(client: Client): void {
  destroyed.add(client);
  try {
    client.destroy();
  } catch {
    // It was not connected.
  }
}
