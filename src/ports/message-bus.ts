/** Port: every message of every participant of a run, in one order. */
import type { JsonValue } from '../kernel/json.ts';

export interface BusMessage {
  /** Its place in the run; gaps are allowed. */
  readonly seq: number;
  readonly id: string;
  readonly run: string;
  /** Whose conversation it is part of. */
  readonly agent: string;
  /** Who said it: User, System, Tool, or the agent. */
  readonly role: string;
  readonly content: JsonValue;
  readonly at: number;
}

export interface BusDraft extends Omit<BusMessage, 'seq'> {
  /** The log does not keep it, so that it is gone when the run has ended. */
  readonly passing: boolean;
  /** Until when a run that died keeps its messages here. */
  readonly leaseUntil: number;
}

export interface BusQuery {
  readonly run: string;
  /** Messages with a greater seq. */
  readonly after?: number | undefined;
  readonly agent?: string | undefined;
  readonly limit: number;
}

export interface MessageBus {
  /** Resolves to the place of the message. */
  publish(draft: BusDraft): Promise<number>;
  /** Oldest first. */
  read(query: BusQuery): Promise<readonly BusMessage[]>;
  /** Messages as they come, of all processes; ends when the run has ended or the signal says so. */
  watch(
    query: Omit<BusQuery, 'limit'> & { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<BusMessage>;
  /** The run is over: passing messages are removed, and whoever watches has seen all. */
  end(run: string): Promise<void>;
  /** Removes everything that was said in a run, and the mark of its end. What the log holds stays there. */
  remove(run: string): Promise<void>;
}
