/** Port: the durable event stream of a workspace. */
import type { EventDraft, EventType, KeepsakeEvent } from '../kernel/events.ts';

export interface EventQuery {
  readonly after?: number;
  readonly types?: readonly EventType[];
  readonly agent?: string;
  readonly limit: number;
}

export interface EventStore {
  append(drafts: readonly EventDraft[]): Promise<readonly KeepsakeEvent[]>;
  /** Oldest first. */
  read(query: EventQuery): Promise<readonly KeepsakeEvent[]>;
  /** Sequence number of the newest event, 0 when there is none. */
  latest(): Promise<number>;
}
