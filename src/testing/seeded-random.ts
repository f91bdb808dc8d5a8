/** Seeded random numbers: the same seed gives the same numbers, so that a failing case can be repeated. */

export interface SeededRandom {
  readonly seed: number;
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Fits where ids draw their chance from. */
  bytes(length: number): Uint8Array;
}

/** Marsaglia's xorshift with 32 bits: small, and far more even than a test needs. */
export function seededRandom(seed: number): SeededRandom {
  // A state of 0 would stay 0, and neighbouring seeds begin alike until they are spread.
  let state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995 || 1;
  const step = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 8; i++) step();
  const below = (end: number): number => Math.floor((step() / 2 ** 32) * end);
  return {
    seed,
    next: () => step() / 2 ** 32,
    below,
    pick: (choices) => {
      if (choices.length === 0) throw new RangeError('There is nothing to pick from.');
      return choices[below(choices.length)]!;
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}
