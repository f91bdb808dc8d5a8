/** When to say nothing: of much that is stored something is alike to any question, though nothing answers it. */

/** Below this a hit is noise: better to say nothing than to say anything. */
export const LEAST_RELEVANCE = 0.1;
/** What the best hit must reach in a memory of a thousand records or more. */
const LEAST_BEST = 0.3;
const MANY = 1_000;

/**
 * How relevant the best hit must be for any to be told. Questions about somebody else reach 0.13 among fifty records, and 0.3 to 0.6
 * among a thousand turns; hardly any that a memory can answer stays below 0.3 (0011). A remark shares little with what it goes on with.
 */
export function leastBest(population: number, isRemark: boolean): number {
  if (isRemark) return LEAST_RELEVANCE;
  const share = Math.log(Math.max(1, population)) / Math.log(MANY);
  return LEAST_RELEVANCE + (LEAST_BEST - LEAST_RELEVANCE) * Math.min(1, share);
}
