/** Receives notifications of writes through Redis; the data is read from the main store. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../ports/event-store.ts';
import type { RedisConnection } from './connection.ts';
import { newsOf } from './event-news.ts';

/** The stream that is heard of. */
type Stream = Required<Pick<EventStore, 'identity' | 'latest'>>;
type Heard = (seq: number) => void;
type Answer = readonly [key: string, entries: readonly (readonly [id: string, fields: unknown])[]][] | null;

/** How long one look waits for news: a server that died silently is noticed after that, and after the patience of a call. */
const WAIT_MS = 250;
const AGAIN_MS = 250;
/** Before the first entry. */
const BEGINNING = '0-0';

export class EventEar {
  readonly #connection: RedisConnection;
  readonly #stream: Stream;
  readonly #listeners = new Set<Heard>();
  #stop: (() => void) | undefined;
  #isListening = false;
  #isSure = false;

  constructor(connection: RedisConnection, stream: Stream) {
    this.#connection = connection;
    this.#stream = stream;
  }

  /** Whether everything that is told is heard at once. */
  get isSure(): boolean {
    return this.#isSure;
  }

  /** Returns how to stop. */
  listen(heard: Heard): () => void {
    this.#listeners.add(heard);
    if (!this.#isListening) void this.#listen();
    return () => {
      this.#listeners.delete(heard);
      if (this.#listeners.size === 0) this.#stop?.();
    };
  }

  get #isWanted(): boolean {
    return this.#listeners.size > 0 && !this.#connection.closed;
  }

  async #listen(): Promise<void> {
    this.#isListening = true;
    while (this.#isWanted) {
      // Without Redis, and without the store: from the beginning again, once both are there.
      await this.#follow().catch(() => {});
      this.#isSure = false;
      if (this.#isWanted) await sleep(AGAIN_MS, undefined, { ref: false });
    }
    this.#isListening = false;
  }

  async #follow(): Promise<void> {
    const news = newsOf(await this.#stream.identity());
    const waiting = this.#connection.blocking();
    this.#stop = waiting.stop;
    try {
      let after = BEGINNING;
      while (this.#isWanted) {
        const look = ['STREAMS', news, after];
        const answer = this.#isSure
          ? await waiting.command(['XREAD', 'BLOCK', String(WAIT_MS), ...look], WAIT_MS)
          : await waiting.command(['XREAD', ...look], 0);
        const entries = (answer as Answer)?.[0]?.[1] ?? [];
        after = entries.at(-1)?.[0] ?? after;
        // Also the first time: whatever was told until now may be older than what nobody could tell.
        if (entries.length > 0 || !this.#isSure) await this.#ask();
        this.#isSure = true;
      }
    } finally {
      waiting.stop();
    }
  }

  async #ask(): Promise<void> {
    const seq = await this.#stream.latest();
    for (const heard of [...this.#listeners]) heard(seq);
  }
}
