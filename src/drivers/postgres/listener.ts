/** Listens for writes of other processes. Notifications only trigger a read of the tables, so nothing is lost. */
import type { Client } from './client.ts';
import type { Database } from './database.ts';

type Heard = (detail: string) => void;

const PAUSE_MS = 250;
/** A connection that only listens does not notice by itself that nobody speaks on it any more. */
const CHECK_MS = 1_500;

/** The channel of a schema. */
export const channelOf = (schema: string): string => `keepsake_${schema}`;

export class Listener {
  readonly #database: Database;
  readonly #topics = new Map<string, Set<Heard>>();
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #isConnecting = false;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The first one who listens makes the connection; it is made again whenever it breaks. Returns how to stop. */
  listen(topic: string, heard: Heard): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners);
    listeners.add(heard);
    void this.#connect();
    return () => {
      listeners.delete(heard);
      if ([...this.#topics.values()].every(({ size }) => size === 0)) this.#disconnect();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#topics.clear();
    this.#disconnect();
  }

  async #connect(): Promise<void> {
    if (this.#client !== undefined || this.#isConnecting || this.#isClosed) return;
    this.#isConnecting = true;
    try {
      const client = await this.#database.dedicated({ statement_timeout: 0 });
      const lost = (): void => this.#again(client);
      client.on('end', lost);
      client.on('notification', ({ payload = '' }: { payload?: string }) => this.#hear(payload));
      await client.query({ text: `LISTEN ${channelOf(this.#database.address.schema)}` });
      client.unref();
      this.#client = client;
      this.#checkLater(client);
      // Whatever happened until now was not heard.
      for (const topic of this.#topics.keys()) this.#hear(`${topic}:`);
    } catch {
      this.#later();
    } finally {
      this.#isConnecting = false;
    }
    if (!this.#isWanted()) this.#disconnect();
  }

  #checkLater(client: Client): void {
    clearTimeout(this.#check);
    this.#check = setTimeout(() => void this.#isThere(client), CHECK_MS).unref();
  }

  /** When there is no answer, the connection is cut, and made again. */
  async #isThere(client: Client): Promise<void> {
    const stop = this.#database.watch(client);
    await client.query({ text: 'SELECT 1' }).catch(() => {});
    stop();
    if (this.#client === client) this.#checkLater(client);
  }

  #hear(news: string): void {
    const colon = news.indexOf(':');
    for (const heard of [...(this.#topics.get(news.slice(0, colon)) ?? [])]) heard(news.slice(colon + 1));
  }

  #again(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#retry);
    if (this.#isWanted()) this.#retry = setTimeout(() => void this.#connect(), PAUSE_MS).unref();
  }

  #isWanted(): boolean {
    return !this.#isClosed && [...this.#topics.values()].some(({ size }) => size > 0);
  }

  #disconnect(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#check);
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }
}
