/** Rules for runs that every engine shares: how one begins, and which ones match a query. */
import type { RunDraft, RunQuery, RunRecord } from '../../ports/run-store.ts';

/** A run that has just begun. Only a run with this status can be touched or ended. */
export function startedRun(draft: RunDraft): RunRecord {
  return { ...draft, status: 'running', endedAt: null, reason: null, result: null };
}

/** The conditions of a query, for engines that read runs one by one; SQL engines state the same ones. */
export function isWanted(run: RunRecord, { swarm, status, leaseBefore }: RunQuery): boolean {
  return (
    (swarm === undefined || run.swarm === swarm) &&
    (status === undefined || run.status === status) &&
    (leaseBefore === undefined || run.leaseUntil < leaseBefore)
  );
}
