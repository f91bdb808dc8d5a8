/** Port: the versioned JSON document of one swarm run. */
import type { JsonValue } from '../kernel/json.ts';

export interface StateSnapshot {
  readonly run: string;
  readonly version: number;
  readonly document: JsonValue;
  readonly updatedAt: number;
  /** After this instant the state of a run that died may be removed. */
  readonly leaseUntil: number;
}

export interface StateWrite {
  readonly run: string;
  readonly document: JsonValue;
  /** 0 creates; any other number must be the current version, else CONFLICT. */
  readonly ifVersion: number;
  readonly at: number;
  readonly leaseUntil: number;
}

export interface StateStore {
  read(run: string): Promise<StateSnapshot | null>;
  write(change: StateWrite): Promise<StateSnapshot>;
  remove(run: string): Promise<boolean>;
  /** Removes the states whose lease ended before `now`; returns their runs. */
  sweep(now: number): Promise<readonly string[]>;
}
