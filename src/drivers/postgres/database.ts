/** A connection pool with timeouts that survives a restart of the database. */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closed } from '../common/closed.ts';
import type { Address } from './address.ts';
import {
  type Client,
  CONNECT_MS,
  connectionTo,
  loadPg,
  type Pool,
  type PooledClient,
  type Settings,
  settingsFor,
} from './client.ts';
import { hasCode, isLost, translate } from './errors.ts';
import { Semaphore } from './semaphore.ts';
import { Session, type SessionOptions } from './session.ts';
import type { Sql } from './sql.ts';
import { greet, Watcher } from './watch.ts';

/** Connections of one process. */
const MOST_CONNECTIONS = 10;
const PAUSE_MS = 50;
/** What the server says when it ends a connection that stood still in a transaction. */
const IDLE_IN_TRANSACTION = '25P03';
/** A question that the server hears is answered sooner, also with the news that the transaction was ended. */
const HEARD_MS = 500;
const MOST_REPEATS = 5;
/** A server that is deaf would never say good-bye. */
const CLOSE_TIMEOUT_MS = 1_000;

interface TransactionOptions extends SessionOptions {
  /** How it begins; by default each statement sees what was committed before it. */
  readonly begin?: string;
}

export class Database {
  readonly address: Address;
  readonly #settings: Settings;
  readonly #connection: object;
  readonly #newClient: (settings: object) => Client;
  readonly #pool: Pool;
  readonly #semaphore = new Semaphore(MOST_CONNECTIONS);
  readonly #watcher: Watcher;
  readonly #sockets = new Set<Socket>();
  /** Those that wait in the pool. */
  readonly #idle = new Set<Client>();
  /** Those that the server ended because this process stood still in a transaction. */
  readonly #overslept = new WeakSet<Client>();
  /** When a question last got no answer. */
  #failedAt = 0;
  #closing: Promise<void> | undefined;

  private constructor(
    address: Address,
    connection: object,
    newClient: (settings: object) => Client,
    newPool: (settings: object) => Pool,
  ) {
    this.address = address;
    this.#settings = settingsFor(address);
    this.#connection = connection;
    this.#newClient = newClient;
    this.#watcher = new Watcher((given) => newClient({ ...connection, ...given }));
    const verify = (client: Client, next: (error?: unknown) => void) =>
      void greet(client, this.#settings).then(() => next(), next);
    const stream = () => this.#newSocket();
    this.#pool = newPool({ ...connection, stream, max: MOST_CONNECTIONS, allowExitOnIdle: true, verify });
    // Without listeners, a connection that breaks would end the process; the pool makes a new one by itself.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) =>
      client.on('error', (error: unknown) => {
        if (hasCode(error, IDLE_IN_TRANSACTION)) this.#overslept.add(client);
      }),
    );
    this.#pool.on('remove', (client) => this.#idle.delete(client));
  }

  /** Does not connect yet. */
  static async open(address: Address): Promise<Database> {
    const pg = await loadPg();
    const newClient = (settings: object) => new pg.Client(settings);
    return new Database(address, connectionTo(address, pg), newClient, (settings) => new pg.Pool(settings));
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  rows<Row>(query: Sql, options: SessionOptions = {}): Promise<Row[]> {
    return this.#borrow((session) => session.rows<Row>(query), options);
  }

  async row<Row>(query: Sql, options: SessionOptions = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(query, options))[0];
  }

  /** Several questions that see the same moment. */
  snapshot<T>(read: (session: Session) => Promise<T>): Promise<T> {
    return this.transaction(read, { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
  }

  /** `work` must be repeatable: it runs again when the connection breaks before the end. */
  transaction<T>(
    work: (session: Session) => Promise<T>,
    { begin = 'BEGIN', keepsPlans = false }: TransactionOptions = {},
  ): Promise<T> {
    let isCommitting = false;
    const whole = async (session: Session): Promise<T> => {
      await session.command(begin);
      try {
        const result = await work(session);
        isCommitting = true;
        // A transaction that failed before answers a commit with success, and with this word.
        if ((await session.command('COMMIT')) === 'ROLLBACK')
          throw new Error('The transaction was rolled back.');
        return result;
      } catch (error) {
        if (!isLost(error)) await session.command('ROLLBACK');
        throw error;
      }
    };
    return this.#borrow(whole, { keepsPlans, mayRepeat: () => !isCommitting });
  }

  /** A connection of its own, outside of the pool; whoever asks for it ends it. */
  async dedicated(settings: Settings = {}): Promise<Client> {
    if (this.isClosed) throw closed();
    const client = this.#newClient(this.#connection);
    client.on('error', () => {});
    try {
      await client.connect();
      await greet(client, { ...this.#settings, ...settings });
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw translate(error, this.address.place);
    }
  }

  /** Watches over the questions of a connection; also those of a dedicated one. */
  readonly watch = (client: Client): (() => void) => this.#watcher.watch(client);

  /** What is under way may end; nothing more may begin. */
  close(): Promise<void> {
    this.#closing ??= Promise.race([
      this.#pool.end(),
      sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
    ]).finally(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
    return this.#closing;
  }

  /** Of each connection, also of one whose greeting failed: the client leaves such a one open, and the process would not end. */
  #newSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  async #borrow<T>(
    work: (session: Session) => Promise<T>,
    { keepsPlans = false, mayRepeat = () => true }: { keepsPlans?: boolean; mayRepeat?: () => boolean } = {},
  ): Promise<T> {
    const asked = performance.now();
    const leave = await this.#semaphore.enter();
    // Who waited in line while the server did not answer has waited for it, too.
    let deadline = (this.#failedAt > asked ? asked : performance.now()) + CONNECT_MS;
    let repeats = 0;
    try {
      for (;;) {
        const client = await this.#connect(deadline);
        let isBroken = false;
        this.#idle.delete(client);
        const session = new Session(client, this.watch, { keepsPlans });
        try {
          return await work(session);
        } catch (error) {
          isBroken = isLost(error);
          // The server ended the transaction before it was asked again, because this process stood still. So the process has the
          // usual time to try again, also when it was about to commit: nothing was committed. If the question waited for longer,
          // the server did not hear it, and the network is at fault.
          const isEnded = this.#overslept.has(client) || hasCode(error, IDLE_IN_TRANSACTION);
          const overslept = isEnded && session.waited < HEARD_MS;
          if (overslept && repeats++ < MOST_REPEATS) deadline = performance.now() + CONNECT_MS;
          // The others were made over the same way: whoever is next need not find out by himself.
          if (isBroken) this.#cutIdle();
          if (!isBroken || !(overslept || mayRepeat()) || performance.now() >= deadline) throw error;
        } finally {
          client.release(isBroken);
          if (!isBroken) this.#idle.add(client);
        }
      }
    } catch (error) {
      if (isLost(error)) this.#failedAt = performance.now();
      throw this.isClosed && isLost(error) ? closed() : translate(error, this.address.place);
    } finally {
      leave();
    }
  }

  /** Tries until the deadline: a server that is being restarted is there again in a moment. */
  async #connect(deadline: number): Promise<PooledClient> {
    for (;;) {
      if (this.isClosed) throw closed();
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`no answer for ${CONNECT_MS} ms`);
      try {
        return await within(this.#pool.connect(), left);
      } catch (error) {
        if (!isLost(error) || performance.now() + PAUSE_MS >= deadline) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  #cutIdle(): void {
    for (const client of this.#idle) client.connection.stream.destroy();
    this.#idle.clear();
  }
}

/** A connection that comes too late goes back. */
async function within(connecting: Promise<PooledClient>, milliseconds: number): Promise<PooledClient> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal, ref: false }).then(() => {
    connecting.then(
      (client) => client.release(),
      () => {},
    );
    throw new Error(`no answer for ${Math.round(milliseconds)} ms`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([connecting, late]);
  } finally {
    timer.abort();
  }
}
