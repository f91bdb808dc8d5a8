/** Many scores in falling order, without looking at more of them than are asked for. */

export interface Ranked {
  /** Highest score first, then by place. */
  readonly places: readonly number[];
  readonly scores: readonly number[];
}

export interface Ranking {
  /** The next ones: about `size` of them. None when there are none left. */
  next(size: number): Ranked;
  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked;
}

const EVERYTHING = Number.NEGATIVE_INFINITY;

export class ScoreRanking implements Ranking {
  readonly #scores: Float32Array;
  /** Scores come in groups: where each begins, the place of its first score, and its highest one. */
  readonly #offsets: number[] = [];
  readonly #firsts: number[] = [0];
  readonly #highest: number[] = [];
  #count = 0;
  /** Scores from here on have been given out. */
  #below = Number.POSITIVE_INFINITY;

  constructor(scores: Float32Array) {
    this.#scores = scores;
  }

  /** Adds the scores that begin at `offset`; none is higher than `highest`, and one is as high. */
  add(offset: number, count: number, highest: number): void {
    this.#count += count;
    this.#offsets.push(offset);
    this.#firsts.push(this.#count);
    this.#highest.push(highest);
  }

  /** The next ones: `size` of them, and those that are as high as the last of these. None when there are none left. */
  next(size: number): Ranked {
    const reach = this.#reach(size);
    const { places, scores } = this.#from(reach, () => true);
    // A group is opened for one high score; most of the others in it are not wanted yet.
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

  /** So low that at least `size` scores that were not given out are as high, if there are as many. */
  #reach(size: number): number {
    // Each of these groups has its highest score still to give.
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

/** Those that are at least as high as `least`. */
export function inOrder(places: readonly number[], scores: readonly number[], least: number): Ranked {
  const chosen: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= least) chosen.push(i);
  chosen.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return { places: chosen.map((i) => places[i]!), scores: chosen.map((i) => scores[i]!) };
}

/** By parting the values at one of them, and looking on in the part that holds it. Puts them into another order. */
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
