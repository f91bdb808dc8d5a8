/** The rows of runs, which both SQL engines store alike. */
import type { RunDraft, RunRecord, RunStatus, RunUsage } from '../../ports/run-store.ts';
import { startedRun } from '../../working/rules/runs.ts';
import { storedJson } from './stored-json.ts';

export interface RunRow {
  readonly id: string;
  readonly swarm: string;
  readonly type: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly participants: string;
  readonly usage: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly lease_until: number;
  readonly lease_ms: number;
  readonly reason: string | null;
  readonly result: string | null;
}

export function toRun(row: RunRow): RunRecord {
  const { started_at, ended_at, lease_until, lease_ms, participants, usage, ...rest } = row;
  return {
    ...rest,
    participants: storedJson<RunRecord['participants']>(participants),
    usage: storedJson<RunUsage>(usage),
    startedAt: started_at,
    endedAt: ended_at,
    leaseUntil: lease_until,
    leaseMs: lease_ms,
  };
}

/** The run that a draft begins, and the texts that its row holds. */
export function newRun(draft: RunDraft): { run: RunRecord; participants: string; usage: string } {
  const participants = JSON.stringify(draft.participants);
  return { run: startedRun(draft), participants, usage: JSON.stringify(draft.usage) };
}

/** Null leaves the usage in the row as it is. */
export function usageText(usage: RunUsage | undefined): string | null {
  return usage === undefined ? null : JSON.stringify(usage);
}
