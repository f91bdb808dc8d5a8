/** Delivers events of runs to observers in order, without delaying the run. */
import type { EventDraft, EventHub } from '../../kernel/events.ts';
import type { EventStore } from '../../ports/event-store.ts';

export type RunEventDraft = Extract<EventDraft, { type: `swarm.${string}` }>;

export class RunEvents {
  readonly #events: EventStore;
  readonly #hub: EventHub;
  #waiting: RunEventDraft[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor({ events, hub }: { readonly events: EventStore; readonly hub: EventHub }) {
    this.#events = events;
    this.#hub = hub;
  }

  tell(...drafts: readonly RunEventDraft[]): void {
    this.#waiting.push(...drafts);
    this.#last = this.#last.then(() => this.#store());
  }

  /** When everything that was told until now is stored. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** What came in meanwhile goes together. An event that cannot be stored costs nobody his work. */
  async #store(): Promise<void> {
    const drafts = this.#waiting;
    if (drafts.length === 0) return;
    this.#waiting = [];
    await this.#events.append(drafts).then(
      (events) => this.#hub.publish(events),
      () => {},
    );
  }
}
