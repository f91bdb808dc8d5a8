/** The best hits so far, at most as many as were asked for. */
import { byRank, type Hit } from './scanner.ts';

export class BestHits {
  readonly #limit: number;
  readonly #hits: Hit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(hit: Hit): void {
    if (this.full && byRank(this.#hits.at(-1)!, hit) <= 0) return;
    let [low, high] = [0, this.#hits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byRank(this.#hits[middle]!, hit) < 0) low = middle + 1;
      else high = middle;
    }
    this.#hits.splice(low, 0, hit);
    if (this.#hits.length > this.#limit) this.#hits.pop();
  }

  get full(): boolean {
    return this.#hits.length >= this.#limit;
  }

  all(): Hit[] {
    return this.#hits;
  }
}
