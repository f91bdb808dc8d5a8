/** When a lease of somebody else counts, the same in every engine. */
import type { LeaseClaim } from '../../ports/lease-store.ts';

/** A lease that lasts so many times longer than what is claimed comes from a clock that was wrong. */
const MOST_SPANS_AHEAD = 10;

export interface HeldRange {
  readonly from: number;
  readonly to: number;
}

/** A lease of somebody else refuses a claim when it expires in this range: not before now, and not implausibly late. */
export function refusingExpiry({ now, until }: LeaseClaim): HeldRange {
  return { from: now + 1, to: now + MOST_SPANS_AHEAD * (until - now) };
}
