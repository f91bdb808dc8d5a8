/** A Redis connection with timeouts that never hangs or ends the process. */
import { createHash } from 'node:crypto';
import { closed } from '../common/closed.ts';
import { type Client, createRedis, destroy, start, whenReady } from './client.ts';
import { explained } from './explain.ts';

/** How long a call may take when nothing comes back, with all that it asks for, in milliseconds. The promise is two seconds. */
const CALL_MS = 1_300;
/** A call that was kept up by others, who changed the same, has used that up; it waits so long for each answer all the same. */
const LEAST_MS = 500;
/** A connection that was silent for so long, although it was spoken to, is rebuilt. */
const SILENCE_MS = 1_000;

export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** What can be asked of Redis. */
export interface Commands {
  command(...args: readonly string[]): Promise<unknown>;
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
}

type Send = (args: readonly string[], patience: number) => Promise<unknown>;

/** Commands that belong to one call, and share the time that it may take: from now on. */
class Call implements Commands {
  readonly #begunAt = performance.now();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  command(...args: readonly string[]): Promise<unknown> {
    return this.#send(args, Math.max(LEAST_MS, CALL_MS - (performance.now() - this.#begunAt)));
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
}

export class RedisConnection implements Commands {
  /** Host and port, for messages. */
  readonly place: string;
  #client: Client;
  /** When the connection was begun, and when it was last heard of. */
  #begunAt = performance.now();
  #heardAt = 0;
  readonly #blocking = new Set<Client>();
  #closed = false;

  private constructor(client: Client, place: string) {
    this.#client = client;
    this.place = place;
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

  /** For several commands that make one call: together they take no longer than one. */
  call(): Commands {
    return new Call((args, patience) => this.#ask(args, patience));
  }

  command(...args: readonly string[]): Promise<unknown> {
    return this.call().command(...args);
  }

  run(which: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.call().run(which, keys, args);
  }

  /** A connection of its own for commands that wait for news; `stop` ends it. */
  blocking(): { command(args: readonly string[], waitMs: number): Promise<unknown>; stop(): void } {
    const client = this.#client.duplicate();
    start(client);
    this.#blocking.add(client);
    return {
      command: (args, waitMs) => this.#send(client, args, waitMs + CALL_MS),
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

  async #ask(args: readonly string[], patience: number): Promise<unknown> {
    const client = this.#client;
    const askedAt = performance.now();
    try {
      const answer = await this.#send(client, args, patience);
      this.#heardAt = performance.now();
      return answer;
    } catch (error) {
      this.#renew(client, askedAt);
      throw error;
    }
  }

  /** A connection that was silent for long may have been forgotten by the other end: make another. */
  #renew(client: Client, askedAt: number): void {
    const now = performance.now();
    const isSilent = now - Math.max(askedAt, this.#begunAt) >= SILENCE_MS && this.#heardAt <= askedAt;
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
      reject(new Error(`no answer for ${Math.round(patience)} ms`));
    }, patience);
    // What was given up must not be sent when the server comes back.
    const sent = whenReady(client, () => isLate || this.#closed).then(() => client.sendCommand(args));
    try {
      return await Promise.race([late, sent]);
    } catch (error) {
      throw this.#closed ? closed() : explained(error, this.place);
    } finally {
      clearTimeout(timer);
    }
  }
}
