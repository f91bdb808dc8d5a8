/** Validates and normalizes vectors of an external embedding model. */
import { KeepsakeError } from '../../kernel/errors.ts';

export interface Expected {
  /** The model as people know it, for messages. */
  readonly model: string;
  readonly count: number;
  /** Undefined while nobody knows: the first answer decides. */
  readonly dimensions: number | undefined;
}

function wrong({ model }: Expected, what: string, hint?: string): KeepsakeError {
  return new KeepsakeError('UNAVAILABLE', `The embedding model ${model} returned ${what}.`, {
    hint: hint ?? 'Check that the address leads to an embedding model; nothing of the answer was used.',
    details: { model },
  });
}

/** All in one pass, because a vector with a hole in it would poison every comparison without a word. */
function unitVector(values: ArrayLike<unknown>, expected: Expected, index: number): Float32Array {
  const vector = new Float32Array(values.length);
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw wrong(expected, `a value that is not a number at place ${i} of vector ${index}`);
    }
    vector[i] = value;
    sum += value * value;
  }
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
  return vector;
}

export function checkVectors(answer: unknown, expected: Expected): Float32Array[] {
  if (!Array.isArray(answer)) throw wrong(expected, 'something that is not a list of vectors');
  if (answer.length !== expected.count) {
    throw wrong(expected, `${answer.length} vectors for ${expected.count} texts`);
  }
  let length = expected.dimensions;
  // `Array.from` sees holes, which `map` would step over.
  return Array.from(answer, (values: unknown, index) => {
    if (!Array.isArray(values) && !ArrayBuffer.isView(values))
      throw wrong(expected, 'a vector that is not a list');
    const list = values as ArrayLike<unknown>;
    length ??= list.length;
    if (list.length !== length || length === 0) {
      throw wrong(
        expected,
        `a vector of ${list.length} dimensions instead of ${length}`,
        'Name the dimensions that this model has, as in "openai/text-embedding-3-small@512".',
      );
    }
    return unitVector(list, expected, index);
  });
}
