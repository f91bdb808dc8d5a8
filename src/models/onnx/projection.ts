/** The directions in which the tokens of a model differ most: vectors are stored along these only. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** The length of a stored vector. */
const UNIT = 127;

export interface Projection {
  /** Rows `first` to `first + count` of the model's last layer, one after another into `into`. */
  project(rows: Float32Array, first: number, count: number, into: Int8Array): void;
}

/** The file: for each direction one little-endian float32 per dimension of the model, the most important first. */
export function readProjection(file: Uint8Array, dimensions: number): Projection {
  const directions = new Float32Array(new Uint8Array(file).buffer);
  const width = directions.length / dimensions;
  if (!Number.isInteger(width)) throw new Error(`the projection has not ${dimensions} directions`);
  const projected = new Float64Array(dimensions);
  return {
    project(rows, first, count, into) {
      for (let row = 0; row < count; row++) {
        const start = (first + row) * width;
        let squares = 0;
        for (let d = 0; d < dimensions; d++) {
          let sum = 0;
          for (let i = 0; i < width; i++) sum += rows[start + i]! * directions[d * width + i]!;
          projected[d] = sum;
          squares += sum * sum;
        }
        if (!Number.isFinite(squares)) {
          throw new KeepsakeError('CORRUPT', 'The model answered with something that is not a number.', {
            hint: 'Its files may be damaged: remove them and pull the model again.',
          });
        }
        const scale = squares === 0 ? 0 : UNIT / Math.sqrt(squares);
        for (let d = 0; d < dimensions; d++) into[row * dimensions + d] = Math.round(projected[d]! * scale);
      }
    },
  };
}
