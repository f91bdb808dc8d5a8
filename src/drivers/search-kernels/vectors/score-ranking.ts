/** Hands out scores from the highest to the lowest, and reads only the blocks whose maximum is high enough. */
import { withRoomFor } from '../text/with-room-for.ts';

export interface Ranked {
  /** Highest score first, then by place. */
  readonly places: readonly number[];
  readonly scores: readonly number[];
  /** Everything that is left has a lower score; -Infinity when nothing is left. */
  readonly least: number;
}

/** The same in no order. */
interface Gathered {
  readonly places: Uint32Array;
  readonly scores: Float32Array;
  readonly least: number;
}

export interface Ranking {
  /** About `size` more places, of those with at least the score `atLeast`. */
  next(size: number, atLeast?: number): Ranked;
  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked;
}

const EVERYTHING = Number.NEGATIVE_INFINITY;
/** So many times as many scores as are wanted are gathered before the lower ones are dropped. */
const ROOM = 4;

export class ScoreRanking implements Ranking {
  #scores: Float32Array;
  /** By group of scores (a block): the place of its first score, and its highest score. */
  readonly #firsts: number[] = [0];
  readonly #highest: number[] = [];
  #count = 0;
  /** Scores of at least this have been handed out. */
  #below = Number.POSITIVE_INFINITY;

  /** With room for so many scores. */
  constructor(count = 0) {
    this.#scores = new Float32Array(count);
  }

  /**
   * Adds `count` scores that begin at `offset`; `highest` is their maximum. They are copied, because every look at the ranking
   * passes through all of them, and between the codes of their rows each block of them would have to come from memory again.
   */
  add(scores: Float32Array, offset: number, count: number, highest: number): void {
    this.#scores = withRoomFor(this.#scores, this.#count + count - 1);
    for (let i = 0; i < count; i++) this.#scores[this.#count + i] = scores[offset + i]!;
    this.#count += count;
    this.#firsts.push(this.#count);
    this.#highest.push(highest);
  }

  /** The `size` next places, and all others with the same score as the last of them. */
  next(size: number, atLeast = EVERYTHING): Ranked {
    const { places, scores, least } = this.gather(size, atLeast);
    return inOrder(places, scores, least);
  }

  /** The same in no order, for those who give them other scores. */
  gather(size: number, atLeast: number): Gathered {
    const gathered = this.#best(size, atLeast);
    this.#below = Math.min(this.#below, gathered.least);
    return { ...gathered, least: this.#below };
  }

  /** All that are left and accepted. */
  rest(accept: (place: number) => boolean): Ranked {
    const [all, below] = [this.#scores, this.#below];
    const places: number[] = [];
    const scores: number[] = [];
    for (let place = 0; place < this.#count; place++) {
      const score = all[place]!;
      if (score >= below || !accept(place)) continue;
      places.push(place);
      scores.push(score);
    }
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

  /**
   * Scores not yet handed out, among them the `size` highest, and the lowest that is still wanted. A group is read because of one
   * high score; most of its other scores are not wanted, and the more is found, the fewer are.
   */
  #best(size: number, atLeast: number): Gathered {
    const [all, highest, below] = [this.#scores, this.#highest, this.#below];
    let least = Math.max(atLeast, this.#reach(size));
    let places = new Uint32Array(ROOM * size);
    let scores = new Float32Array(ROOM * size);
    let count = 0;
    for (let group = 0; group < highest.length; group++) {
      if (highest[group]! < least) continue;
      const end = this.#firsts[group + 1]!;
      for (let place = this.#firsts[group]!; place < end; place++) {
        const score = all[place]!;
        if (score < least || score >= below) continue;
        if (count === scores.length) {
          least = nthLargest(scores.slice(), size);
          count = keep(places, scores, least);
          // Many equal ones.
          if (count > scores.length / 2) {
            places = withRoomFor(places, places.length);
            scores = withRoomFor(scores, scores.length);
          }
          if (score < least) continue;
        }
        places[count] = place;
        scores[count++] = score;
      }
    }
    if (count > size) {
      least = nthLargest(scores.slice(0, count), size);
      count = keep(places.subarray(0, count), scores.subarray(0, count), least);
    }
    return { places: places.subarray(0, count), scores: scores.subarray(0, count), least };
  }
}

/** Moves those of at least this score to the front; returns how many. */
function keep(places: Uint32Array, scores: Float32Array, least: number): number {
  let kept = 0;
  for (let i = 0; i < scores.length; i++) {
    if (scores[i]! < least) continue;
    places[kept] = places[i]!;
    scores[kept++] = scores[i]!;
  }
  return kept;
}

/** The places with a score of at least `least`, highest first. */
export function inOrder(places: ArrayLike<number>, scores: ArrayLike<number>, least: number): Ranked {
  const chosen: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= least) chosen.push(i);
  chosen.sort((a, b) => scores[b]! - scores[a]! || a - b);
  return { places: chosen.map((i) => places[i]!), scores: chosen.map((i) => scores[i]!), least };
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
      const value = values[i]!;
      values[i] = values[j]!;
      values[j] = value;
      i++;
      j--;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place]!;
}
