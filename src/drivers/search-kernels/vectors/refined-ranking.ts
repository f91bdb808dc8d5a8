/** A ranking that replaces rough upper bounds by tighter ones on the way, only for the rows that come up. */
import { withRoomFor } from '../text/with-room-for.ts';
import { inOrder, type Ranked, type Ranking, type ScoreRanking } from './score-ranking.ts';

/** More than most searches look at. */
const ROOM = 512;

export class RefinedRanking implements Ranking {
  readonly #rough: ScoreRanking;
  readonly #refine: (place: number) => number;
  /** Rows whose tighter bound is known, and lower than what rows still to come may have. */
  #places = new Uint32Array(ROOM);
  #scores = new Float64Array(ROOM);
  #count = 0;

  /** `refine` returns an upper bound as well, mostly a lower one. */
  constructor(rough: ScoreRanking, refine: (place: number) => number) {
    this.#rough = rough;
    this.#refine = refine;
  }

  next(size: number, atLeast = Number.NEGATIVE_INFINITY): Ranked {
    for (;;) {
      const rough = this.#rough.gather(size, atLeast);
      this.#look(rough.places, rough.scores);
      // All rows still to come have a lower bound.
      const given = this.#give(rough.least);
      if (given.places.length > 0 || rough.least <= atLeast) return given;
    }
  }

  rest(accept: (place: number) => boolean): Ranked {
    this.#keep((i) => accept(this.#places[i]!));
    const rough = this.#rough.rest(accept);
    this.#look(rough.places, rough.scores);
    return this.#give(Number.NEGATIVE_INFINITY);
  }

  #look(places: ArrayLike<number>, scores: ArrayLike<number>): void {
    this.#places = withRoomFor(this.#places, this.#count + places.length);
    this.#scores = withRoomFor(this.#scores, this.#count + places.length);
    for (let i = 0; i < places.length; i++) {
      this.#places[this.#count] = places[i]!;
      this.#scores[this.#count++] = Math.min(scores[i]!, this.#refine(places[i]!));
    }
  }

  /** Hands out the rows with at least this bound. */
  #give(least: number): Ranked {
    const [places, scores] = [this.#places, this.#scores].map((all) => all.subarray(0, this.#count));
    const given = inOrder(places!, scores!, least);
    this.#keep((i) => this.#scores[i]! < least);
    return given;
  }

  #keep(isKept: (i: number) => boolean): void {
    let left = 0;
    for (let i = 0; i < this.#count; i++) {
      if (!isKept(i)) continue;
      this.#places[left] = this.#places[i]!;
      this.#scores[left++] = this.#scores[i]!;
    }
    this.#count = left;
  }
}
