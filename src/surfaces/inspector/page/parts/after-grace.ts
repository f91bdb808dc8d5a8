/** Delays something final, so that it can be undone for a few seconds. */
import { toast } from './toasts.ts';

const GRACE_MS = 8_000;

type Job = (isLeaving: boolean) => void;

const pending = new Set<Job>();

/**
 * Leaving the page in the meantime counts as a decision: work(true) is then called, and must use a request that outlives
 * the page.
 */
export function afterGrace(text: string, work: (isLeaving: boolean) => unknown, undone: () => void): void {
  const job: Job = (isLeaving) => {
    if (!pending.delete(job)) return;
    clearTimeout(timer);
    close();
    work(isLeaving);
  };
  const undo = () => {
    if (!pending.delete(job)) return;
    clearTimeout(timer);
    undone();
  };
  const close = toast(text, {
    kind: 'grace',
    action: { text: 'Undo', run: undo },
    shownMs: GRACE_MS + 1_000,
  });
  const timer = setTimeout(() => job(false), GRACE_MS);
  pending.add(job);
}

addEventListener('pagehide', () => {
  for (const job of [...pending]) job(true);
});
