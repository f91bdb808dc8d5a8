/** The best records so far, at most as many as were asked for: by score; of equal scores, the newer record first. */

import { withRoomFor } from './with-room-for.ts';

const LEAST_ROOM = 64;

export interface Hit {
  readonly rid: number;
  readonly score: number;
}

/** A heap whose top is the worst record that it holds. */
export class BestRecords {
  #limit = 0;
  #scores = new Float64Array(LEAST_ROOM);
  #rids = new Uint32Array(LEAST_ROOM);
  #count = 0;

  /** Empties it for another search. Its memory is used again: a search needs several of these, one after the other. */
  begin(limit: number): this {
    this.#scores = withRoomFor(this.#scores, limit - 1);
    this.#rids = withRoomFor(this.#rids, limit - 1);
    this.#limit = limit;
    this.#count = 0;
    return this;
  }

  /** The score that a further record must at least reach. */
  get worst(): number {
    return this.#count < this.#limit ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  offer(score: number, rid: number): void {
    if (this.#count < this.#limit) this.#rise(this.#count++, score, rid);
    else if (score > this.#scores[0]! || (score === this.#scores[0]! && rid > this.#rids[0]!))
      this.#sink(score, rid);
  }

  /** Best first. */
  sorted(): Hit[] {
    const hits = Array.from({ length: this.#count }, (_, i) => ({
      rid: this.#rids[i]!,
      score: this.#scores[i]!,
    }));
    return hits.sort((a, b) => b.score - a.score || b.rid - a.rid);
  }

  #rise(place: number, score: number, rid: number): void {
    let at = place;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(score, rid, parent)) break;
      this.#copy(parent, at);
      at = parent;
    }
    this.#scores[at] = score;
    this.#rids[at] = rid;
  }

  #sink(score: number, rid: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      const other = child + 1;
      if (other < this.#count && this.#isWorse(this.#scores[other]!, this.#rids[other]!, child))
        child = other;
      if (this.#isWorse(score, rid, child)) break;
      this.#copy(child, at);
      at = child;
    }
    this.#scores[at] = score;
    this.#rids[at] = rid;
  }

  #isWorse(score: number, rid: number, than: number): boolean {
    return score < this.#scores[than]! || (score === this.#scores[than]! && rid < this.#rids[than]!);
  }

  #copy(from: number, to: number): void {
    this.#scores[to] = this.#scores[from]!;
    this.#rids[to] = this.#rids[from]!;
  }
}
