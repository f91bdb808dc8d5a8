/** Vectors rounded to bytes, and how far the rounding can lead astray. */

/** The largest byte, the same on both sides of zero. */
const LARGEST_CODE = 127;
/** The largest number of a query of 16 bits, and of one of 7 bits once `SHIFT` has made it positive. */
export const WIDE_QUERY = 32_767;
export const SMALL_QUERY = 63;
export const SHIFT = 64;
/** Sums of products must fit into 31 bits; one less for each dimension, because each may be rounded up. */
const LARGEST_SUM = 2 ** 31 / LARGEST_CODE;
/** For what 32-bit arithmetic itself rounds, here and in the scan, in units of the cosine. */
const ROUNDING = 2e-6;

/** vector ≈ scale · codes; a cosine with it is off by `margin` at most. */
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
  // By Cauchy and Schwarz: what is left over, times a query of length 1, is at most as long as what is left over.
  return { scale, margin: Math.sqrt(squared) };
}

/** query ≈ factor · codes; a cosine with it is at most scale · factor · (row · codes) + margin · stretch + slack. */
export interface RoundedQuery {
  readonly codes: Int16Array;
  readonly factor: number;
  readonly stretch: number;
  readonly slack: number;
  /** How long what was rounded away is. */
  readonly error: number;
}

/** To whole numbers up to `largestCode`, or less when their sums would not fit. */
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
  // A row of codes, times its scale, is longer than the vector it stands for by its margin at most, and that has length 1.
  const error = Math.sqrt(squared);
  return { codes, factor, stretch: 1 + error, slack: error + ROUNDING, error };
}
