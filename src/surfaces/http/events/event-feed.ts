/** The event stream of a workspace for many listeners: what this process does at once, what others do a moment later. */

import type { Engine } from '../../../client/index.ts';
import type { EventHub, KeepsakeEvent } from '../../../kernel/events.ts';

type EventStore = Engine['storage']['events'];

/** How long events of other processes may stay unnoticed, where the engine does not tell. */
const POLL_MS = 250;
/** Where it does, it is asked once in so many times: somebody may have died after he wrote, and before he told. */
const SELDOM = 20;
const PAGE = 500;

interface Page {
  readonly after: number;
  readonly known: number;
  readonly events: Promise<readonly KeepsakeEvent[]>;
}

export class EventFeed {
  readonly #store: EventStore;
  readonly #unsubscribe: () => void;
  /** Ends the news of other processes, where the engine tells them. */
  #unsubscribeStore: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();
  #known = 0;
  #page: Page | undefined;
  #poll: NodeJS.Timeout | undefined;
  #times = 0;
  #isClosed = false;

  constructor(store: EventStore, hub: EventHub) {
    this.#store = store;
    this.#unsubscribe = hub.subscribe(({ seq }) => this.#advance(seq));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The newest number there is. */
  async latest(): Promise<number> {
    const latest = await this.#store.latest();
    this.#advance(latest);
    return latest;
  }

  /** Changes whenever there may be something new. */
  get known(): number {
    return this.#known;
  }

  /**
   * Events after a number, oldest first. Numbers are given out in the order in which writes are committed, so whoever
   * reads on from the last one that he saw misses none. Listeners that are equally far share one reading.
   */
  read(after: number): Promise<readonly KeepsakeEvent[]> {
    const known = this.#known;
    if (this.#page?.after !== after || this.#page.known !== known) {
      const page = { after, known, events: this.#store.read({ after, limit: PAGE }) };
      this.#page = page;
      page.events.catch(() => {
        // The next listener tries again.
        if (this.#page === page) this.#page = undefined;
      });
    }
    return this.#page.events;
  }

  /** Until there is more than was known, the time is over, or it is time to end. */
  wait(known: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.#known !== known || this.#isClosed || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        if (this.#waiting.size === 0) this.#stopPolling();
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done);
      this.#waiting.add(done);
      this.#unsubscribeStore ??= this.#store.listen?.((seq) => this.#advance(seq));
      this.#poll ??= setInterval(() => this.#look(), POLL_MS);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#unsubscribeStore?.();
    this.#stopPolling();
    for (const wake of [...this.#waiting]) wake();
  }

  #advance(seq: number): void {
    if (seq <= this.#known) return;
    this.#known = seq;
    for (const wake of [...this.#waiting]) wake();
  }

  #look(): void {
    this.#times += 1;
    if (this.#store.isTelling?.() && this.#times % SELDOM !== 0) return;
    this.latest().catch(() => {});
  }

  #stopPolling(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }
}
