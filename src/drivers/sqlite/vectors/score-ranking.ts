/** Many scores in falling order, without sorting more of them than are looked at. */

/** Scores are cosines and a little more, so they are well within these bounds. */
const LOWEST = -4;
const HIGHEST = 4;
const PER_UNIT = 1_024;

/** The lowest score that belongs into a bucket. */
const leastOf = (bucket: number): number => LOWEST + bucket / PER_UNIT;

export class ScoreRanking {
  readonly #scores: Float32Array;
  readonly #sizes = new Uint32Array((HIGHEST - LOWEST) * PER_UNIT);
  /** Buckets from here on have been given out. */
  #above = this.#sizes.length;

  constructor(scores: Float32Array) {
    this.#scores = scores;
    const sizes = this.#sizes;
    for (let i = 0; i < scores.length; i++) sizes[((scores[i]! - LOWEST) * PER_UNIT) | 0]!++;
  }

  /** The positions of the next scores, highest first: `size` of them or a few more. Empty when there are none left. */
  next(size: number): Uint32Array {
    return this.#sorted(...this.#take(size));
  }

  /** All that are left and accepted. */
  rest(accept: (position: number) => boolean): Uint32Array {
    const [count, least, below] = this.#take(Number.POSITIVE_INFINITY);
    return this.#sorted(count, least, below, accept);
  }

  /** Gives out buckets until they hold `size` scores; says how many there are, and between which scores. */
  #take(size: number): [count: number, least: number, below: number] {
    const below = leastOf(this.#above);
    let count = 0;
    while (count < size && this.#above > 0) {
      this.#above--;
      count += this.#sizes[this.#above]!;
    }
    return [count, leastOf(this.#above), below];
  }

  #sorted(
    count: number,
    least: number,
    below: number,
    accept: (position: number) => boolean = () => true,
  ): Uint32Array {
    const positions = new Uint32Array(count);
    const scores = this.#scores;
    let filled = 0;
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i]!;
      if (score >= least && score < below && accept(i)) positions[filled++] = i;
    }
    return positions.subarray(0, filled).sort((a, b) => scores[b]! - scores[a]! || a - b);
  }
}
