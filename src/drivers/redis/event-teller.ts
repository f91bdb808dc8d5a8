/** Notifies other servers of committed writes in the background, with retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from './connection.ts';
import { KEPT_MS, newsOf, TELL } from './event-news.ts';

/** While Redis is unavailable. */
const AGAIN_MS = 500;
/** A program that ends right after it wrote waits so long for its news to be out. */
const LAST_WORD_MS = 300;

export class EventTeller {
  readonly #connection: RedisConnection;
  readonly #identity: () => Promise<string>;
  /** The newest number that nobody was told of; those before it come along. */
  #owed: number | undefined;
  #telling: Promise<void> | undefined;

  constructor(connection: RedisConnection, identity: () => Promise<string>) {
    this.#connection = connection;
    this.#identity = identity;
  }

  tell(seq: number): void {
    this.#owed = Math.max(this.#owed ?? 0, seq);
    this.#telling ??= this.#tellAll();
  }

  /** All is told, or it took too long. */
  async settled(): Promise<void> {
    await Promise.race([this.#telling, sleep(LAST_WORD_MS, undefined, { ref: false })]);
  }

  /** One at a time: what is written meanwhile goes together. */
  async #tellAll(): Promise<void> {
    while (this.#owed !== undefined && !this.#connection.closed) {
      const seq = this.#owed;
      this.#owed = undefined;
      try {
        const news = newsOf(await this.#identity());
        await this.#connection.run(TELL, [news], [String(seq), String(KEPT_MS)]);
      } catch {
        this.#owed = Math.max(this.#owed ?? 0, seq);
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
    this.#telling = undefined;
  }
}
