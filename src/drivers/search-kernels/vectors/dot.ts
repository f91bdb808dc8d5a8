/** Dot products and cosines of vectors in plain JavaScript: the reference that the WebAssembly kernels are compared with. */

/** The dot product of `a` and the part of `b` that begins at `from`. Four sums that do not depend on each other run in parallel. */
export function dot(a: Float32Array, b: Float32Array, from = 0): number {
  const even = a.length & ~3;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0, j = from; i < even; i += 4, j += 4) {
    s0 += a[i]! * b[j]!;
    s1 += a[i + 1]! * b[j + 1]!;
    s2 += a[i + 2]! * b[j + 2]!;
    s3 += a[i + 3]! * b[j + 3]!;
  }
  for (let i = even; i < a.length; i++) s0 += a[i]! * b[from + i]!;
  return s0 + s1 + (s2 + s3);
}

/** The sum of squares. In double precision the squares of 32-bit numbers neither vanish nor overflow. */
export function squareSum(vector: Float32Array): number {
  return dot(vector, vector);
}

/** The cosine of two unit vectors, clamped because rounding can lead beyond 1. */
export function cosine(a: Float32Array, b: Float32Array, from = 0): number {
  return Math.max(-1, Math.min(1, dot(a, b, from)));
}
