/** Waits for the review of a session; after Ctrl-C, the next process does it. */
import { ERROR_TABLE } from '../../../../kernel/errors.ts';
import type { Output } from '../../output.ts';
import type { Session } from './open-agent.ts';

/** Most reviews are done by then, and nobody wonders yet. */
const UNNOTICED_MS = 1_500;

export async function waitForReview(
  session: Session,
  output: Pick<Output, 'note'>,
  over: AbortSignal,
): Promise<void> {
  const timer = setTimeout(
    () => output.note('· reviewing the session for facts to remember; Ctrl-C postpones it to the next run'),
    UNNOTICED_MS,
  );
  // What was stopped before is not reviewed, and ends by itself.
  const leave = (): never => process.exit(ERROR_TABLE.ABORTED.exit);
  if (!over.aborted) over.addEventListener('abort', leave, { once: true });
  try {
    await session.end();
  } finally {
    clearTimeout(timer);
    over.removeEventListener('abort', leave);
  }
}
