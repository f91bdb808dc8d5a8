/** A connection to Redis that never hangs and never ends the process: no answer in time is an error that says so. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { KeepsakeError } from '../../kernel/errors.ts';
import { asOneServer, type ClusterClient } from './cluster.ts';

/** The part of the client of the package `redis` that is used here. */
export interface Client {
  readonly isReady: boolean;
  on(event: string, listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  duplicate(): Client;
  sendCommand(args: readonly string[]): Promise<unknown>;
  destroy(): void;
}

/** How long a call may take when nothing comes back, in milliseconds. */
export const PATIENCE_MS = 1_200;

/** Answers of version 3 of the protocol have other shapes. */
const RESP = 2;
/** A write that waits for a server that never comes back would look like one that is slow. */
const PATIENT = { disableOfflineQueue: true };

/** Made anew for each client, which writes into it. `?ca=` names a file with the authority that signed the certificate. */
function socketFor(url: URL): object {
  const authority = url.searchParams.get('ca');
  url.searchParams.delete('ca');
  return {
    connectTimeout: PATIENCE_MS,
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

export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

interface Package {
  createClient(options: object): Client;
  createCluster(options: object): ClusterClient;
}

/** `redis+cluster://host:port` names one node of a cluster; it knows the others. */
const CLUSTER = /^(rediss?)\+cluster:/;

async function createRedis(url: string): Promise<Client> {
  let redis: Package;
  try {
    redis = (await import('redis')) as unknown as Package;
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
      cause: error,
      hint: 'It looks like redis://127.0.0.1:6379, rediss://user:password@host:6380/0 or redis+cluster://host:7000.',
    });
  }
}

export class RedisConnection {
  #client: Client;
  readonly #place: string;
  /** When the connection was begun, and when it was last heard of. */
  #begunAt = performance.now();
  #heardAt = 0;
  readonly #blocking = new Set<Client>();
  #closed = false;

  private constructor(client: Client, place: string) {
    this.#client = client;
    this.#place = place;
  }

  /** Does not wait for the server: a workspace can be opened without it, and what needs it says so. */
  static async open(url: string): Promise<RedisConnection> {
    const client = await createRedis(url);
    // Without the password that the URL may hold.
    const { host } = new URL(url);
    const connection = new RedisConnection(client, host);
    start(client);
    return connection;
  }

  async command(...args: readonly string[]): Promise<unknown> {
    const client = this.#client;
    const askedAt = performance.now();
    try {
      const answer = await this.#send(client, args, PATIENCE_MS);
      this.#heardAt = performance.now();
      return answer;
    } catch (error) {
      this.#renew(client, askedAt);
      throw error;
    }
  }

  async run({ text, sha }: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.command('EVALSHA', sha, ...rest);
    } catch (error) {
      // A server that was restarted has forgotten its scripts.
      if (!(error instanceof Error) || !String(error.cause).includes('NOSCRIPT')) throw error;
      return this.command('EVAL', text, ...rest);
    }
  }

  /** A connection of its own for commands that wait for news; `stop` ends it. */
  blocking(): { command(args: readonly string[], waitMs: number): Promise<unknown>; stop(): void } {
    const client = this.#client.duplicate();
    start(client);
    this.#blocking.add(client);
    return {
      command: (args, waitMs) => this.#send(client, args, waitMs + PATIENCE_MS),
      stop: () => {
        if (this.#blocking.delete(client)) destroy(client);
      },
    };
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const client of [this.#client, ...this.#blocking]) destroy(client);
    this.#blocking.clear();
  }

  /** A connection that was silent for as long as anybody waits may have been forgotten by the other end: make another. */
  #renew(client: Client, askedAt: number): void {
    const now = performance.now();
    const isSilent = now - Math.max(askedAt, this.#begunAt) >= PATIENCE_MS && this.#heardAt <= askedAt;
    if (!isSilent || this.#closed || client !== this.#client) return;
    this.#client = client.duplicate();
    this.#begunAt = now;
    start(this.#client);
    destroy(client);
  }

  async #send(client: Client, args: readonly string[], patience: number): Promise<unknown> {
    if (this.#closed) throw closed();
    const { promise: late, reject } = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`no answer for ${patience} ms`));
    }, patience);
    // What was given up must not be sent when the server comes back.
    const sent = whenReady(client, () => isLate || this.#closed).then(() => client.sendCommand(args));
    try {
      return await Promise.race([late, sent]);
    } catch (error) {
      throw this.#closed ? closed() : this.#explained(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #explained(error: unknown): KeepsakeError {
    const message = error instanceof Error ? error.message : String(error);
    if (REFUSED.test(message)) {
      return new KeepsakeError('PERMISSION', `Redis at ${this.#place} refuses this user: ${message}`, {
        cause: error,
        hint: 'Set KEEPSAKE_STORAGE_STATE_URL to a URL with a user and a password that may write.',
      });
    }
    if (/^OOM/.test(message)) {
      return new KeepsakeError('STORAGE_FULL', `Redis at ${this.#place} has no memory left.`, {
        cause: error,
        hint: 'Raise its maxmemory, or end runs that nobody needs.',
      });
    }
    if (/^ERR /.test(message)) {
      return new KeepsakeError('STORAGE_FAILED', `Redis at ${this.#place} refuses this: ${message}`, {
        cause: error,
        hint: 'Keepsake needs Redis 7 or newer; see its version with "redis-cli info server".',
      });
    }
    if (/certificate/i.test(message)) {
      return new KeepsakeError('UNAVAILABLE', `Redis at ${this.#place} is not trusted: ${message}`, {
        cause: error,
        hint: 'Name the authority that signed its certificate: rediss://host:6380?ca=/path/of/ca.pem.',
      });
    }
    return new KeepsakeError('UNAVAILABLE', `Redis at ${this.#place} does not answer: ${message}`, {
      cause: error,
      hint: 'Check that it runs and can be reached. A change that was under way may have been made: read before repeating it.',
    });
  }
}

const LOOK_MS = 10;
/** Of the user or of the certificate, not of the moment: waiting does not help. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM)/;
const HOPELESS = /^(WRONGPASS|NOAUTH|NOPERM)|certificate/i;
const refusals = new WeakMap<Client, Error>();

/** Until the server can be reached, or nobody waits any more. */
async function whenReady(client: Client, isOver: () => boolean): Promise<void> {
  while (!client.isReady) {
    const refusal = refusals.get(client);
    if (refusal !== undefined) throw refusal;
    if (isOver()) throw new Error('not connected');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (isOver()) throw new Error('not connected');
}

function start(client: Client): void {
  // Without a listener, an error of the connection would end the process; it tries again by itself.
  const note = (error: unknown): void => {
    if (error instanceof Error && HOPELESS.test(error.message)) refusals.set(client, error);
    else refusals.delete(client);
  };
  client.on('error', note);
  client.connect().catch(note);
}

function destroy(client: Client): void {
  try {
    client.destroy();
  } catch {
    // It was not connected.
  }
}

function closed(): KeepsakeError {
  return new KeepsakeError('CLOSED', 'The storage was closed.', { hint: 'Create a new client.' });
}
