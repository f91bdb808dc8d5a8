/** A clock that stands still until a test moves it. */
import type { Clock } from '../kernel/clock.ts';

export interface FakeClock extends Clock {
  /** Moves on by this many milliseconds and returns the new time; a negative number steps back. */
  advance(milliseconds: number): number;
  set(time: number | string): void;
}

/** Starts at milliseconds since 1970, or at an ISO 8601 time. */
export function fakeClock(start: number | string = '2026-01-01T00:00:00Z'): FakeClock {
  let time = toTime(start);
  return {
    now: () => time,
    advance: (milliseconds) => {
      time = toTime(time + milliseconds);
      return time;
    },
    set: (to) => {
      time = toTime(to);
    },
  };
}

/** A clock that answered NaN or half a millisecond would make every test after it pass or fail by accident. */
function toTime(value: number | string): number {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  if (!Number.isSafeInteger(time)) throw new RangeError(`${String(value)} is not a time.`);
  return time;
}
