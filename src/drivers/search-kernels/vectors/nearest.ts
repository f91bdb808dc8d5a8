/** Finds the nearest vectors exactly: takes candidates in the order of their upper bounds, and rescores them with exact cosines. */
import { type Hit, PendingHits } from './hits.ts';
import type { Ranking } from './score-ranking.ts';

const FIRST_BATCH = 128;
const BATCH_GROWTH = 4;
/** After the filter refused so many candidates, asking it for all records that it allows is faster. */
const MOST_REFUSED = 512;

export interface Candidates {
  /** The exact hit at a place of the ranking; undefined when there is none any more. */
  readonly rescore: (place: number) => Hit | undefined;
  /** Whether the filter of the search allows a record. */
  readonly allows: (rid: number) => boolean;
  /** The same for places of the ranking, at the price of asking for all records that the filter allows. */
  readonly allowing: () => (place: number) => boolean;
  readonly limit: number;
}

/** The best hits that the filter allows, best first. A hit is final once no candidate that follows can rank before it. */
export function nearest(ranking: Ranking, { rescore, allows, allowing, limit }: Candidates): Hit[] {
  const pending = new PendingHits();
  const found: Hit[] = [];
  let refused = 0;
  /** Moves hits that are better than everything still to come; false when there are enough. */
  const settle = (bound: number): boolean => {
    for (let hit = pending.takeAbove(bound); hit !== undefined; hit = pending.takeAbove(bound)) {
      if (!allows(hit.rid)) refused++;
      else if (found.push(hit) >= limit) return false;
    }
    return true;
  };
  const consider = (place: number, bound: number): boolean => {
    if (!settle(bound)) return false;
    const hit = rescore(place);
    if (hit !== undefined) pending.add(hit);
    return true;
  };

  for (let size = Math.max(FIRST_BATCH, 2 * limit), last = false; !last; size *= BATCH_GROWTH) {
    const filterFirst = refused >= MOST_REFUSED;
    const { places, scores } = filterFirst ? ranking.rest(allowing()) : ranking.next(size);
    const isEnough = !places.every((place, i) => consider(place, scores[i]!));
    last = isEnough || filterFirst || places.length === 0;
  }
  if (found.length < limit) settle(Number.NEGATIVE_INFINITY);
  return found;
}
