/** Many scores in falling order, without looking at more of them than are asked for. */

export interface Ranked {
  /** Highest score first, then by place. */
  readonly places: Uint32Array;
  readonly scores: Float32Array;
}

export class ScoreRanking {
  readonly #scores: Float32Array;
  /** Scores come in groups: where each begins, the place of its first score, and its highest one. */
  readonly #offsets: number[] = [];
  readonly #places: number[] = [0];
  readonly #highest: number[] = [];
  /** The highest ones, lowest first. */
  #sorted: Float32Array | undefined;
  /** Groups whose highest score was given out. */
  #opened = 0;
  /** Scores from here on have been given out. */
  #below = Number.POSITIVE_INFINITY;

  constructor(scores: Float32Array) {
    this.#scores = scores;
  }

  /** Adds the scores that begin at `offset`; none is higher than `highest`, and one is as high. */
  add(offset: number, count: number, highest: number): void {
    this.#offsets.push(offset);
    this.#places.push(this.#places.at(-1)! + count);
    this.#highest.push(highest);
  }

  /** The next ones: `size` of them or some more. None when there are none left. */
  next(size: number): Ranked {
    this.#sorted ??= Float32Array.from(this.#highest).sort();
    const sorted = this.#sorted;
    const groups = sorted.length;
    // Each group that is opened now holds a score that was not given out yet.
    let opened = this.#opened + size;
    if (opened >= groups) return this.rest(() => true);
    const least = sorted[groups - opened]!;
    while (opened < groups && sorted[groups - 1 - opened] === least) opened++;
    this.#opened = opened;
    return this.#take(least, () => true);
  }

  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked {
    this.#opened = this.#highest.length;
    return this.#take(Number.NEGATIVE_INFINITY, accept);
  }

  #take(least: number, accept: (place: number) => boolean): Ranked {
    const [all, highest, offsets, firsts, below] = [
      this.#scores,
      this.#highest,
      this.#offsets,
      this.#places,
      this.#below,
    ];
    const places: number[] = [];
    const scores: number[] = [];
    for (let group = 0; group < highest.length; group++) {
      if (highest[group]! < least) continue;
      const first = firsts[group]!;
      const offset = offsets[group]!;
      const count = firsts[group + 1]! - first;
      for (let i = 0; i < count; i++) {
        const score = all[offset + i]!;
        if (score < least || score >= below || !accept(first + i)) continue;
        places.push(first + i);
        scores.push(score);
      }
    }
    this.#below = least;
    const order = Uint32Array.from(places.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
    return {
      places: order.map((i) => places[i]!),
      scores: Float32Array.from(order, (i) => scores[i]!),
    };
  }
}
