/** Finds the best texts without scoring all: records that contain only common words are skipped. */

export interface Holders {
  readonly term: string;
  /** How many texts hold it. */
  readonly holders: number;
  /** How often it was asked for. */
  readonly times: number;
}

/** What a word adds to a score at most, as a multiple of its rarity: k₁ + 1 of BM25. The rest is for rounding. */
export const MOST = 2.2 * (1 + 1e-9);
/** What a word adds when it stands once in a text that is somewhat longer than others. */
const USUAL = 0.8;
/** As in FTS5, for words that most texts hold. */
const LEAST_RARITY = 1e-6;
/** When a filter leaves too few, so many times more are looked at. */
const GROWTH = 8;

/** What a word is worth that so many of the texts hold. */
export function rarityOf(holders: number, texts: number): number {
  return Math.max(LEAST_RARITY, Math.log((texts - holders + 0.5) / (holders + 0.5)) || 0);
}

export class RarestWords {
  /** Rarest first. */
  readonly #words: readonly Holders[];
  readonly #rarities: readonly number[];
  /** What the words from this place on can add to a score together, at most. */
  readonly #rest: readonly number[];
  readonly #limit: number;

  /** `limit`: how many of the best are wanted. */
  constructor(words: readonly Holders[], texts: number, limit: number) {
    this.#limit = limit;
    this.#words = [...words].sort((a, b) => a.holders - b.holders);
    this.#rarities = this.#words.map(({ holders, times }) => times * rarityOf(holders, texts));
    const rest = [0];
    for (const rarity of this.#rarities.toReversed()) rest.unshift(rest[0]! + MOST * rarity);
    this.#rest = rest;
  }

  /** The first so many. */
  rarest(count: number): string[] {
    return this.#words.slice(0, count).map(({ term }) => term);
  }

  /** The others, and what they can add to a score together, at most. */
  common(count: number): { words: string[]; most: number } {
    return { words: this.#words.slice(count).map(({ term }) => term), most: this.#rest[count]! };
  }

  /** By how many of the rarest words to look first: probably enough. */
  start(): number {
    const enough = this.#reaching(this.#limit);
    const worst = USUAL * (this.#rarities[enough - 1] ?? 0);
    return Math.max(enough, this.#sufficing(worst));
  }

  /** By how many to look next, after the best of those that hold one of `count` words have these scores; undefined: that was it. */
  next(count: number, scores: readonly number[]): number | undefined {
    const worst = scores[this.#limit - 1];
    const needed = worst === undefined ? this.#further(count, scores.length) : this.#sufficing(worst);
    return needed > count && count < this.#words.length ? needed : undefined;
  }

  /** A filter has left too few: as if the next ones had the same chance to pass it. */
  #further(count: number, found: number): number {
    const held = this.#words.slice(0, count).reduce((sum, { holders }) => sum + holders, 0);
    const times = found === 0 ? GROWTH * GROWTH : Math.max(GROWTH, (2 * this.#limit) / found);
    return Math.max(count + 1, this.#reaching(held * times));
  }

  /** So many words that texts without any of them score less. */
  #sufficing(score: number): number {
    return this.#rest.findIndex((rest) => rest < score || rest === 0);
  }

  /** So many words that about this number of texts holds one of them. */
  #reaching(texts: number): number {
    let sum = 0;
    const enough = this.#words.findIndex(({ holders }) => {
      sum += holders;
      return sum >= texts;
    });
    return enough === -1 ? this.#words.length : enough + 1;
  }
}
