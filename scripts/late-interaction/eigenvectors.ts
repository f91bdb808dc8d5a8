/** The first eigenvectors of a symmetric matrix, by repeated multiplication and orthogonalisation. */

export interface Direction {
  readonly value: number;
  readonly vector: Float64Array;
}

const ROUNDS = 400;

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  const width = vector.length;
  return vector.map((_, row) => {
    let sum = 0;
    for (let i = 0; i < width; i++) sum += matrix[row * width + i]! * vector[i]!;
    return sum;
  });
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, part, i) => sum + part * b[i]!, 0);

/** Makes each a unit vector at right angles to those before it. */
function orthogonal(vectors: readonly Float64Array[]): void {
  vectors.forEach((vector, i) => {
    for (const earlier of vectors.slice(0, i)) {
      const shared = dot(vector, earlier);
      for (let j = 0; j < vector.length; j++) vector[j]! -= shared * earlier[j]!;
    }
    const length = Math.sqrt(dot(vector, vector));
    for (let j = 0; j < vector.length; j++) vector[j]! /= length;
  });
}

/** Largest first; the sign of each makes its largest part positive. */
export function eigenvectors(matrix: Float64Array, width: number, count: number): Direction[] {
  // Some more than wanted, so that the last ones settle quickly as well.
  let vectors: Float64Array[] = Array.from({ length: Math.min(width, count + 32) }, (_, i) =>
    Float64Array.from({ length: width }, (__, j) => Math.sin((i + 1) * (j + 1))),
  );
  orthogonal(vectors);
  for (let round = 0; round < ROUNDS; round++) {
    vectors = vectors.map((vector) => multiply(matrix, vector));
    orthogonal(vectors);
  }
  return vectors
    .map((vector) => ({ value: dot(vector, multiply(matrix, vector)), vector }))
    .sort((a, b) => b.value - a.value)
    .slice(0, count)
    .map(({ value, vector }) => {
      const largest = vector.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0);
      return { value, vector: largest < 0 ? vector.map((part) => -part) : vector };
    });
}
