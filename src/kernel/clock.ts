/** Time is injected, so that every test can stand still, jump, or cross midnight. */

export interface Clock {
  /** Milliseconds since the Unix epoch, always an integer. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
