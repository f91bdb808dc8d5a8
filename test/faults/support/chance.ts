/** Chance that can be repeated: a small seeded generator, and the seed of this run. */

export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from `least` to `most`, both possible. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32: 32 bits of state are plenty for choosing moments. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return { next, between, pick: (from) => from[between(0, from.length - 1)]! };
}

/** A new seed for each run finds more; KEEPSAKE_SEED repeats an old one. */
export function chooseSeed(given: string | undefined = process.env.KEEPSAKE_SEED): number {
  if (given === undefined || given === '') return Math.floor(Math.random() * 2 ** 32);
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`Not a seed: ${given}`);
  return seed;
}
