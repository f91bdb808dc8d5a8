/** The clock, which is injected so that tests control time. */

export interface Clock {
  /** Milliseconds since the Unix epoch, always an integer. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
