/** Pools the output rows of a model into one vector of unit length. */
import { KeepsakeError } from '../../kernel/errors.ts';

export function pool(rows: Float32Array, dimensions: number, pooling: 'first' | 'mean'): Float32Array {
  const vector = rows.slice(0, dimensions);
  if (pooling === 'mean') {
    for (let i = dimensions; i < rows.length; i++) vector[i % dimensions]! += rows[i]!;
  }
  // The mean and the sum point the same way, and only the direction is kept.
  const scale = 1 / Math.hypot(...vector);
  if (!Number.isFinite(scale)) {
    throw new KeepsakeError('CORRUPT', 'The embedding model answered with something that is not a number.', {
      hint: 'Its files may be damaged: remove them and pull the model again.',
    });
  }
  for (let i = 0; i < dimensions; i++) vector[i]! *= scale;
  return vector;
}
