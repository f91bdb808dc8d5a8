/** A ranking that replaces rough upper bounds by tighter ones on the way, only for the rows that come up. */
import { inOrder, type Ranked, type Ranking, type ScoreRanking } from './score-ranking.ts';

export class RefinedRanking implements Ranking {
  readonly #rough: ScoreRanking;
  readonly #refine: (place: number) => number;
  /** Rows whose tighter bound is known, and lower than what rows still to come may have. */
  #places: number[] = [];
  #scores: number[] = [];

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
    const wanted = this.#places.map(accept);
    this.#places = this.#places.filter((_, i) => wanted[i]);
    this.#scores = this.#scores.filter((_, i) => wanted[i]);
    const rough = this.#rough.rest(accept);
    this.#look(rough.places, rough.scores);
    return this.#give(Number.NEGATIVE_INFINITY);
  }

  #look(places: ArrayLike<number>, scores: ArrayLike<number>): void {
    for (let i = 0; i < places.length; i++) {
      this.#places.push(places[i]!);
      this.#scores.push(Math.min(scores[i]!, this.#refine(places[i]!)));
    }
  }

  /** Hands out the rows with at least this bound. */
  #give(least: number): Ranked {
    const given = inOrder(this.#places, this.#scores, least);
    let left = 0;
    for (let i = 0; i < this.#scores.length; i++) {
      if (this.#scores[i]! >= least) continue;
      this.#places[left] = this.#places[i]!;
      this.#scores[left++] = this.#scores[i]!;
    }
    this.#places.length = this.#scores.length = left;
    return given;
  }
}
