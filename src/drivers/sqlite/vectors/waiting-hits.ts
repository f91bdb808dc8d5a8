/** Hits whose similarity is known, until it is certain that nothing better is still to come. */
import { byRank, type Hit } from './scanner.ts';

export class WaitingHits {
  /** The best last. */
  readonly #hits: Hit[] = [];

  add(hit: Hit): void {
    let [low, high] = [0, this.#hits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byRank(this.#hits[middle]!, hit) > 0) low = middle + 1;
      else high = middle;
    }
    this.#hits.splice(low, 0, hit);
  }

  /** The best one, if it is better than all that is still to come, which is `bound` at most. */
  takeAbove(bound: number): Hit | undefined {
    const best = this.#hits.at(-1);
    return best !== undefined && best.similarity > bound ? this.#hits.pop() : undefined;
  }
}
