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
  /** Takes a final hit; false when there are enough. */
  const take = (hit: Hit): boolean => {
    if (allows(hit.rid)) found.push(hit);
    else refused++;
    return found.length < limit;
  };

  for (let size = Math.max(FIRST_BATCH, 2 * limit); ; ) {
    const isFilteredFirst = refused >= MOST_REFUSED;
    // What is below the hit that would be the last one cannot come before it. As many are refused again as were before.
    const wanted = pending.similarityAt(limit - found.length + refused);
    const ranked = isFilteredFirst ? ranking.rest(allowing()) : ranking.next(size, wanted);
    const { places, scores, least } = ranked;
    for (let i = 0; i < places.length; i++) {
      for (let hit = pending.takeAbove(scores[i]!); hit !== undefined; hit = pending.takeAbove(scores[i]!))
        if (!take(hit)) return found;
      const hit = rescore(places[i]!);
      if (hit !== undefined) pending.add(hit);
    }
    for (let hit = pending.takeFrom(least); hit !== undefined; hit = pending.takeFrom(least))
      if (!take(hit)) return found;
    if (least === Number.NEGATIVE_INFINITY) return found;
    if (least > wanted) size *= BATCH_GROWTH;
  }
}
