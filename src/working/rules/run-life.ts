/** Heartbeats of runs: when a run counts as dead, and the error for it. */
import { DAY } from '../../kernel/clock.ts';
import type { RunRecord } from '../../ports/run-store.ts';

/** Of a run whose coordinating process gives a sign of life every few seconds. */
export const COORDINATED_LEASE_MS = 60_000;
/** How often it does. */
export const HEARTBEAT_MS = 10_000;
/** Of a run that a program keeps without such signs, through the verbs alone. */
export const PATIENT_LEASE_MS = DAY;

/** Whether changes of the working memory are signs of life, too: where nobody gives any others. */
export function livesByState({ leaseMs }: Pick<RunRecord, 'leaseMs'>): boolean {
  return leaseMs >= PATIENT_LEASE_MS;
}

export function deathOf({ leaseUntil, leaseMs }: Pick<RunRecord, 'leaseUntil' | 'leaseMs'>): string {
  const since = new Date(leaseUntil - leaseMs).toISOString();
  return `Its process died or was cut off: the last sign of life came at ${since}.`;
}
