/** Vectors as they are stored: unit length, 32-bit numbers. */
import { endianness } from 'node:os';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Embedding } from '../../ports/record-store.ts';
import { squareSum } from '../search-kernels/vectors/dot.ts';

/** More than any model returns; a longer vector would fill pages of its own. */
const MAX_DIMENSIONS = 16_384;
/** Closer to 1 than 32-bit numbers can get by dividing again, so that a vector that was stored stays as it is. */
const UNIT_TOLERANCE = 1e-6;

const BYTES = 4;
const isLittle = endianness() === 'LE';

/** The same direction with length 1; a vector of zeros, which has no direction, stays. */
export function unitVector({ model, vector }: Embedding): Float32Array {
  if (vector.length === 0 || vector.length > MAX_DIMENSIONS) {
    throw new KeepsakeError('INVALID_INPUT', `A vector of ${model} has ${vector.length} dimensions.`, {
      hint: `Give one with 1 to ${MAX_DIMENSIONS}.`,
    });
  }
  const squared = squareSum(vector);
  if (!Number.isFinite(squared)) {
    throw new KeepsakeError('INVALID_INPUT', `A vector of ${model} holds numbers that are not finite.`, {
      hint: 'The model failed; embed the text again.',
    });
  }
  if (squared === 0 || Math.abs(squared - 1) <= UNIT_TOLERANCE) return vector;
  const length = Math.sqrt(squared);
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) unit[i] = vector[i]! / length;
  return unit;
}

export function toBlob(vector: Float32Array): Buffer {
  const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return isLittle ? blob : Buffer.from(blob).swap32();
}

/** Undefined when the blob cannot be a vector of so many dimensions. */
export function fromBlob(blob: Buffer, dimensions: number): Float32Array | undefined {
  if (blob.length !== dimensions * BYTES) return undefined;
  const aligned = isLittle && blob.byteOffset % BYTES === 0 ? blob : Buffer.copyBytesFrom(blob);
  if (!isLittle) aligned.swap32();
  return new Float32Array(aligned.buffer, aligned.byteOffset, dimensions);
}
