/** The dot product of two vectors, which is the cosine of vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
