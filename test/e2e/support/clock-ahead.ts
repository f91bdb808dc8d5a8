/** A clock that is fast, so that a process does not have to wait for the lease of one that was killed. */
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';

export function clockAhead(milliseconds: number): Clock {
  return { now: () => systemClock.now() + milliseconds };
}
