/** Retries a call after temporary errors, with growing pauses. */

import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

export interface RetryOptions {
  /** How many times a call is made again after it failed. */
  readonly retries: number;
  /** The first pause; each further one is twice as long. */
  readonly backoffMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A failure of one attempt, and whether another may do better. */
export class AttemptFailure extends Error {
  readonly error: KeepsakeError;
  readonly again: boolean;
  /** What the server asked for. */
  readonly waitMs: number | undefined;

  constructor(error: KeepsakeError, again: boolean, waitMs?: number) {
    super(error.message);
    this.error = error;
    this.again = again;
    this.waitMs = waitMs;
  }
}

/** A server that wants more patience than this is left alone: whoever queues the texts comes back later. */
const LONGEST_PAUSE_MS = 60_000;

export function abortedError(cause?: unknown): KeepsakeError {
  return new KeepsakeError('ABORTED', 'Embedding was stopped before it finished.', { cause });
}

export async function retrying<T>(
  attempt: () => Promise<T>,
  { retries, backoffMs, signal }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) throw abortedError(signal.reason);
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof AttemptFailure)) throw failure;
      const wait = failure.waitMs ?? Math.min(backoffMs * 2 ** failures, LONGEST_PAUSE_MS);
      if (!failure.again || failures >= retries || wait > LONGEST_PAUSE_MS) throw failure.error;
      await pause(wait, undefined, defined({ signal })).catch((cause: unknown) => {
        throw abortedError(cause);
      });
    }
  }
}
