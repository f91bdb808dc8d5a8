/** A ranking that replaces rough upper bounds by tighter ones on the way, only for the rows that come up. */
import { inOrder, type Ranked, type Ranking } from './score-ranking.ts';

export class RefinedRanking implements Ranking {
  readonly #rough: Ranking;
  readonly #refine: (place: number) => number;
  /** Rows whose tighter bound is known, and lower than what rows still to come may have. */
  #places: number[] = [];
  #scores: number[] = [];

  /** `refine` returns an upper bound as well, mostly a lower one. */
  constructor(rough: Ranking, refine: (place: number) => number) {
    this.#rough = rough;
    this.#refine = refine;
  }

  next(size: number): Ranked {
    for (;;) {
      const rough = this.#rough.next(size);
      if (rough.places.length === 0) return this.#give(Number.NEGATIVE_INFINITY);
      this.#look(rough);
      // All rows still to come have a lower bound than the last of these.
      const given = this.#give(rough.scores.at(-1)!);
      if (given.places.length > 0) return given;
    }
  }

  rest(accept: (place: number) => boolean): Ranked {
    const wanted = this.#places.map(accept);
    this.#places = this.#places.filter((_, i) => wanted[i]);
    this.#scores = this.#scores.filter((_, i) => wanted[i]);
    this.#look(this.#rough.rest(accept));
    return this.#give(Number.NEGATIVE_INFINITY);
  }

  #look({ places, scores }: Ranked): void {
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
