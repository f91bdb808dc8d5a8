/** Stores the events of a session and passes them to its subscribers. */
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { EventDraft, EventHub, KeepsakeEvent, Via } from '../kernel/events.ts';
import type { Storage } from '../ports/storage.ts';

type WithoutEnvelope<Type extends string> = EventDraft extends infer Draft
  ? Draft extends { type: Type }
    ? Omit<Draft, 'at' | 'via' | 'agent' | 'session'>
    : never
  : never;

/** Events without the envelope, which the session knows. */
export type SessionEvent = WithoutEnvelope<`session.${string}`>;

export interface SessionIdentity {
  readonly session: string;
  /** Null in a raw session. */
  readonly agent: string | null;
  readonly user: string | undefined;
  readonly via: Via;
  /** The run of its conversation; null without one. */
  readonly conversationRun: string | null;
}

export interface EventServices {
  readonly clock: Clock;
  readonly storage: Pick<Storage, 'events'>;
  readonly hub: EventHub;
}

export class SessionEvents {
  readonly #identity: SessionIdentity;
  readonly #services: EventServices;

  constructor(identity: SessionIdentity, services: EventServices) {
    this.#identity = identity;
    this.#services = services;
  }

  async emit(...events: (SessionEvent | WithoutEnvelope<'memory.recalled'>)[]): Promise<void> {
    const { session, via, agent, user } = this.#identity;
    const { clock } = this.#services;
    const envelope = { at: clock.now(), via, session, ...defined({ agent: agent ?? undefined, user }) };
    await this.store(events.map((event) => ({ ...event, ...envelope }) as EventDraft));
  }

  /** Stores events that are complete already. */
  async store(events: readonly EventDraft[]): Promise<void> {
    const { storage, hub } = this.#services;
    hub.publish(await storage.events.append(events));
  }

  /** Hears the events of the session and of its agent; returns a function that stops it. */
  subscribe(listener: (event: KeepsakeEvent) => void): () => void {
    const { session, agent, user, conversationRun } = this.#identity;
    return this.#services.hub.subscribe((event) => {
      // A conversation calls its run a session, and a compaction concerns every session on the conversation.
      const isShared =
        event.session === undefined || (conversationRun !== null && event.session === conversationRun);
      const isOurs =
        event.session === session ||
        (isShared && event.agent === agent && event.user === user && agent !== null);
      if (isOurs) listener(event);
    });
  }
}
