/** Port: the versioned JSON document of one swarm run, and the feed of its changes. */
import type { JsonObject, JsonValue } from '../kernel/json.ts';

export interface StateSnapshot {
  readonly run: string;
  /** Grows by one with every change. */
  readonly version: number;
  readonly document: JsonObject;
  readonly updatedAt: number;
  /** After this instant the state of a run that died may be removed. */
  readonly leaseUntil: number;
}

export type StateOperation = 'create' | 'set' | 'merge' | 'patch' | 'append' | 'increment' | 'delete';

/** Who changed what, and when. */
export interface StateChange {
  readonly run: string;
  /** The version that it made. */
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly op: StateOperation;
  /** JSON Pointer to what was changed; empty for the whole document. */
  readonly path: string;
  /** What was given; left out where it is large, and where nothing was given. */
  readonly value?: JsonValue;
}

export interface StateDraft {
  readonly run: string;
  readonly document: JsonObject;
  readonly at: number;
  readonly by: string;
  readonly leaseUntil: number;
}

export interface StateEdit extends Omit<StateChange, 'version'> {
  /** The change is made to this version or not at all. */
  readonly ifVersion?: number;
  readonly leaseUntil: number;
  /** The whole document may not be larger as JSON, in bytes; else TOO_LARGE. */
  readonly maxBytes: number;
  /** The keys of the document that `apply` reads or writes; null for all of them. */
  readonly keys: readonly string[] | null;
  /**
   * The new values of those keys; a key that is not in the answer is removed. It is given the present ones, and must be
   * repeatable: it runs again when somebody else was faster.
   */
  apply(part: JsonObject): JsonObject;
}

export interface StateStore {
  /** Version 1. CONFLICT when the run has a state already. */
  create(draft: StateDraft): Promise<StateSnapshot>;
  /** With `keys`, the document holds at least these of its keys, where they exist. */
  read(run: string, keys?: readonly string[]): Promise<StateSnapshot | null>;
  /** Atomic. Answers with the new version; NOT_FOUND when the run has no state, CONFLICT when `ifVersion` is not the present one. */
  edit(edit: StateEdit): Promise<number>;
  /** Oldest first. Very old ones may be gone. */
  changes(query: {
    readonly run: string;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly StateChange[]>;
  /** Changes after a version as they come, of all processes; ends when the state is gone or the signal says so. */
  watch(query: {
    readonly run: string;
    readonly after: number;
    readonly signal?: AbortSignal | undefined;
  }): AsyncIterable<StateChange>;
  /** Prolongs the lease; it never becomes shorter. */
  touch(run: string, leaseUntil: number, at: number): Promise<void>;
  remove(run: string): Promise<boolean>;
  /** Removes the states whose lease ended before `now`; returns their runs. An engine that expires by itself has none. */
  sweep(now: number): Promise<readonly string[]>;
}
