/** Hits of a vector search in the order of their rank, in the two ways in which scans collect them. */

export interface Hit {
  /** Row number of the record. */
  readonly rid: number;
  readonly similarity: number;
}

/** By similarity; of equal ones, the newer record first. */
export const byRank = (a: Hit, b: Hit): number => b.similarity - a.similarity || b.rid - a.rid;

/** The best hits so far, at most `limit` of them. */
export class BestHits<Found extends Hit = Hit> {
  readonly #limit: number;
  readonly #hits: Found[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(hit: Found): void {
    if (this.full && byRank(this.#hits.at(-1)!, hit) <= 0) return;
    this.#hits.splice(
      placeOf(this.#hits, (other) => byRank(other, hit) < 0),
      0,
      hit,
    );
    if (this.#hits.length > this.#limit) this.#hits.pop();
  }

  get full(): boolean {
    return this.#hits.length >= this.#limit;
  }

  /** Best first. */
  all(): Found[] {
    return this.#hits;
  }
}

/** Hits whose exact similarity is known, held back until no better one can follow. */
export class PendingHits {
  /** Best last. */
  readonly #hits: Hit[] = [];

  add(hit: Hit): void {
    this.#hits.splice(
      placeOf(this.#hits, (other) => byRank(other, hit) > 0),
      0,
      hit,
    );
  }

  /** The similarity of the `place`-th best hit, from 1 on; -Infinity when there are fewer. */
  similarityAt(place: number): number {
    return this.#hits.at(-place)?.similarity ?? Number.NEGATIVE_INFINITY;
  }

  /** The best hit if its similarity is above `bound`, the most that any hit still to come can have. */
  takeAbove(bound: number): Hit | undefined {
    const best = this.#hits.at(-1);
    return best !== undefined && best.similarity > bound ? this.#hits.pop() : undefined;
  }

  /** The best hit if its similarity is at least `least`, which no hit still to come can have. */
  takeFrom(least: number): Hit | undefined {
    const best = this.#hits.at(-1);
    return best !== undefined && best.similarity >= least ? this.#hits.pop() : undefined;
  }
}

/** Where a new hit belongs in a sorted list: after all that `comesBefore` it. */
function placeOf(hits: readonly Hit[], comesBefore: (other: Hit) => boolean): number {
  let [low, high] = [0, hits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(hits[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
