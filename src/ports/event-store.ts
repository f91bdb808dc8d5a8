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
  /** Events of another store with the numbers that they have there; one that is here under its number becomes the same. */
  mirror(events: readonly KeepsakeEvent[]): Promise<void>;
  /** Those with these numbers; numbers are never given again. */
  remove(seqs: readonly number[]): Promise<void>;
  /** Oldest first. */
  read(query: EventQuery): Promise<readonly KeepsakeEvent[]>;
  /** Sequence number of the newest event, 0 when there is none. */
  latest(): Promise<number>;
  /**
   * Calls back with the newest number whenever anybody wrote, in whatever process; returns how to stop. Calls may be
   * missed, events never: they are read. An engine without it has to be asked now and then.
   */
  listen?(heard: (seq: number) => void): () => void;
  /**
   * Whether those who listen are told at once, as things are now. While they are, the store need be asked only seldom: for
   * one who died between writing and telling. Without it nobody knows.
   */
  isTelling?(): boolean;
  /** A random name that this stream has for everybody who opens it, and that no other has. Made when it is first asked for. */
  identity?(): Promise<string>;
  /** Calls back with the newest number after each commit of this handle that wrote events; returns how to stop. */
  onCommit?(committed: (seq: number) => void): () => void;
}
