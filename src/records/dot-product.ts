/** The dot product of two vectors, which is the cosine of vectors of unit length. */
export function dot(a: Float32Array, b: Float32Array): number {
  // Four sums, because one would have to wait for each addition before the next.
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = b.length - (b.length % 4);
  for (let i = 0; i < whole; i += 4) {
    first += a[i]! * b[i]!;
    second += a[i + 1]! * b[i + 1]!;
    third += a[i + 2]! * b[i + 2]!;
    fourth += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < b.length; i++) first += a[i]! * b[i]!;
  return first + second + third + fourth;
}
