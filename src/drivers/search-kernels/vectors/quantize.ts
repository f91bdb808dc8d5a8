/** Rounds vectors to bytes (int8 quantization), and bounds the error that the rounding can cause in a cosine. */

/** The largest code; the smallest is its negative. */
const LARGEST_CODE = 127;
/** The largest code of a query with 16 bits, and of one with 7 bits, to which `SHIFT` is added to make it positive. */
export const WIDE_QUERY = 32_767;
export const SMALL_QUERY = 63;
export const SHIFT = 64;
/** Sums of products must fit into 31 bits; `roundQuery` subtracts one for each dimension, because each may be rounded up. */
const LARGEST_SUM = 2 ** 31 / LARGEST_CODE;
/** The error of 32-bit arithmetic itself, here and in the scan, in units of the cosine. */
const ROUNDING = 2e-6;

/** vector ≈ scale · codes; a cosine computed from the codes is off by `margin` at most. */
export interface Quantized {
  readonly scale: number;
  readonly margin: number;
}

/** Writes the codes to `into`. */
export function quantize(vector: Float32Array, into: Int8Array): Quantized {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]!);
    if (size > largest) largest = size;
  }
  if (largest === 0) {
    into.fill(0);
    return { scale: 0, margin: 0 };
  }
  const scale = Math.fround(largest / LARGEST_CODE);
  const steps = 1 / scale;
  let squared = 0;
  for (let i = 0; i < vector.length; i++) {
    const code = Math.round(vector[i]! * steps);
    into[i] = code;
    const rest = vector[i]! - code * scale;
    squared += rest * rest;
  }
  // Cauchy–Schwarz: the dot product of the remainder with a query of length 1 is at most the length of the remainder.
  return { scale, margin: Math.sqrt(squared) };
}

/** query ≈ factor · codes; a cosine with it is at most scale · factor · (row · codes) + margin · stretch + slack. */
export interface RoundedQuery {
  readonly codes: Int16Array;
  readonly factor: number;
  readonly stretch: number;
  readonly slack: number;
  /** The length of the part that was rounded away. */
  readonly error: number;
}

/** Rounds to integers up to `largestCode`, or to smaller ones when sums of products would not fit. */
export function roundQuery(query: Float32Array, largestCode: number): RoundedQuery {
  let [largest, sum] = [0, 0];
  for (let i = 0; i < query.length; i++) {
    const size = Math.abs(query[i]!);
    if (size > largest) largest = size;
    sum += size;
  }
  const factor = Math.max(largest / largestCode, sum / (LARGEST_SUM - query.length), Number.MIN_VALUE);
  const codes = new Int16Array(query.length);
  let squared = 0;
  for (let i = 0; i < query.length; i++) {
    const code = Math.round(query[i]! / factor);
    codes[i] = code;
    const rest = query[i]! - factor * code;
    squared += rest * rest;
  }
  // The decoded row is at most `margin` longer than the vector it represents, which has length 1.
  const error = Math.sqrt(squared);
  return { codes, factor, stretch: 1 + error, slack: error + ROUNDING, error };
}
