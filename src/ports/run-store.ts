/** Port: the runs of swarms, as long as the workspace lives. */
import type { Role } from '../kernel/scope.ts';
import type { ModelTally } from './model-meter.ts';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface RunParticipant {
  readonly name: string;
  readonly role: Exclude<Role, 'admin'>;
}

/** What the models of a run were asked, and what it cost. */
export interface RunUsage extends ModelTally {
  readonly models: Readonly<Record<string, ModelTally>>;
}

export const NO_TALLY: ModelTally = { calls: 0, unfinished: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
export const NO_USAGE: RunUsage = { ...NO_TALLY, models: {} };

export interface RunRecord {
  readonly id: string;
  readonly swarm: string;
  readonly type: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly participants: readonly RunParticipant[];
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** After this instant a run without a sign of life is taken for dead. */
  readonly leaseUntil: number;
  /** How long one sign of life lasts, in milliseconds: short where the process that coordinates the run gives them steadily. */
  readonly leaseMs: number;
  /** Why it failed or was cancelled. */
  readonly reason: string | null;
  /** Id of the swarm result that came of it. */
  readonly result: string | null;
  readonly usage: RunUsage;
}

export type RunDraft = Omit<RunRecord, 'status' | 'endedAt' | 'reason' | 'result'>;

export interface RunEnd {
  readonly status: Exclude<RunStatus, 'running'>;
  readonly endedAt: number;
  readonly reason: string | null;
  readonly result: string | null;
  readonly usage?: RunUsage | undefined;
  /** Only if its lease ended before this time: whoever gave a sign of life meanwhile continues. */
  readonly leaseBefore?: number | undefined;
}

export interface RunQuery {
  readonly swarm?: string | undefined;
  readonly status?: RunStatus | undefined;
  /** Only those whose lease ended before. */
  readonly leaseBefore?: number | undefined;
  readonly limit: number;
}

export interface RunStore {
  create(draft: RunDraft): Promise<RunRecord>;
  get(id: string): Promise<RunRecord | null>;
  /** Newest first. */
  list(query: RunQuery): Promise<readonly RunRecord[]>;
  /** A sign of life, and what was spent until then. False when the run has ended: then only the usage is written. */
  touch(id: string, sign: { readonly leaseUntil: number; readonly usage?: RunUsage }): Promise<boolean>;
  /** Only a running one can end, and only once: false when it has. */
  end(id: string, end: RunEnd): Promise<boolean>;
  /** Removes its record permanently; false when there is none. Its state and its messages are removed by their own stores. */
  remove(id: string): Promise<boolean>;
}
