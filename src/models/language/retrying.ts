/** Decides whether and when a failed call is retried. */

import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../../kernel/defined.ts';
import type { KeepsakeError } from '../../kernel/errors.ts';
import { abortedError } from './watch.ts';

/** Why an attempt failed, and whether another may do better. */
export interface Failure {
  readonly error: KeepsakeError;
  readonly again: boolean;
  /** What the server asked for. */
  readonly waitMs?: number | undefined;
  /** The prompt left room for this many tokens of an answer, and more were reserved: it can be asked again with these. */
  readonly roomTokens?: number | undefined;
}

export interface RetryOptions {
  /** How many times a call is made again after it failed. */
  readonly retries: number;
  /** The first pause; each further one is twice as long. */
  readonly backoffMs: number;
  /** From 0 to 1. */
  readonly random?: (() => number) | undefined;
}

/** A server that wants more patience than this is left alone: someone is waiting for the answer. */
const LONGEST_PAUSE_MS = 60_000;

/** How long to wait before the next attempt; undefined when there is none. */
export function pauseAfter(
  { again, waitMs }: Pick<Failure, 'again' | 'waitMs'>,
  failures: number,
  { retries, backoffMs, random = Math.random }: RetryOptions,
): number | undefined {
  // From half of the pause to all of it, so that callers who failed together do not come back together.
  const own = Math.min(backoffMs * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + random() / 2);
  const wait = waitMs ?? own;
  return again && failures < retries && wait <= LONGEST_PAUSE_MS ? wait : undefined;
}

/** Waits before the next attempt, or throws when there will be none. */
export async function beforeNextAttempt(
  failure: Failure,
  failures: number,
  options: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wait = pauseAfter(failure, failures, options);
  if (wait === undefined) throw failure.error;
  await pause(wait, undefined, defined({ signal })).catch((cause: unknown) => {
    throw abortedError(cause);
  });
}
