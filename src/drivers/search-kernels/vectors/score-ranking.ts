/** Hands out scores from the highest to the lowest, and reads only the blocks whose maximum is high enough. */

export interface Ranked {
  /** Highest score first, then by place. */
  readonly places: readonly number[];
  readonly scores: readonly number[];
}

export interface Ranking {
  /** About `size` more places; empty when none is left. */
  next(size: number): Ranked;
  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked;
}

const EVERYTHING = Number.NEGATIVE_INFINITY;

export class ScoreRanking implements Ranking {
  readonly #scores: Float32Array;
  /** By group of scores (a block): its offset, the place of its first score, and its highest score. */
  readonly #offsets: number[] = [];
  readonly #firsts: number[] = [0];
  readonly #highest: number[] = [];
  #count = 0;
  /** Scores of at least this have been handed out. */
  #below = Number.POSITIVE_INFINITY;

  constructor(scores: Float32Array) {
    this.#scores = scores;
  }

  /** Adds the scores that begin at `offset`; `highest` is their maximum. */
  add(offset: number, count: number, highest: number): void {
    this.#count += count;
    this.#offsets.push(offset);
    this.#firsts.push(this.#count);
    this.#highest.push(highest);
  }

  /** The `size` next places, and all others with the same score as the last of them; empty when none is left. */
  next(size: number): Ranked {
    const reach = this.#reach(size);
    const { places, scores } = this.#from(reach, () => true);
    // A group is read because of one high score; most of its other scores are not wanted yet.
    const least = scores.length > size ? nthLargest(Float32Array.from(scores), size) : reach;
    this.#below = least;
    return inOrder(places, scores, least);
  }

  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked {
    const { places, scores } = this.#from(EVERYTHING, accept);
    this.#below = EVERYTHING;
    return inOrder(places, scores, EVERYTHING);
  }

  /** A bound that at least `size` scores not yet handed out reach, if there are as many. */
  #reach(size: number): number {
    // Each of these groups has not handed out its highest score yet.
    const left = new Float32Array(this.#highest.length);
    let count = 0;
    for (const score of this.#highest) if (score < this.#below) left[count++] = score;
    return count >= size ? nthLargest(left.subarray(0, count), size) : EVERYTHING;
  }

  #from(least: number, accept: (place: number) => boolean): { places: number[]; scores: number[] } {
    const [all, highest, below] = [this.#scores, this.#highest, this.#below];
    const places: number[] = [];
    const scores: number[] = [];
    for (let group = 0; group < highest.length; group++) {
      if (highest[group]! < least) continue;
      const first = this.#firsts[group]!;
      const offset = this.#offsets[group]!;
      const count = this.#firsts[group + 1]! - first;
      for (let i = 0; i < count; i++) {
        const score = all[offset + i]!;
        if (score < least || score >= below || !accept(first + i)) continue;
        places.push(first + i);
        scores.push(score);
      }
    }
    return { places, scores };
  }
}

/** The places with a score of at least `least`, highest first. */
export function inOrder(places: readonly number[], scores: readonly number[], least: number): Ranked {
  const chosen: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= least) chosen.push(i);
  chosen.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return { places: chosen.map((i) => places[i]!), scores: chosen.map((i) => scores[i]!) };
}

/** Quickselect: partitions the values around a pivot, and continues in the part that holds the n-th. Reorders the values. */
function nthLargest(values: Float32Array, n: number): number {
  const place = values.length - n;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      [values[i], values[j]] = [values[j]!, values[i]!];
      i++;
      j--;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place]!;
}
