/** Vectors as they are stored and compared: unit length, 32-bit numbers, cosines in double precision. */
import { endianness } from 'node:os';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Embedding } from '../../ports/record-store.ts';

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

/** Of 32-bit numbers: in double precision their squares neither vanish nor overflow. */
export function squareSum(vector: Float32Array): number {
  return dot(vector, vector);
}

/** Of a vector and what begins at `from` in another list. Four sums at once, which the processor can add independently. */
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

/** The cosine of two unit vectors; rounding must not lead beyond 1. */
export function cosine(a: Float32Array, b: Float32Array, from = 0): number {
  return Math.max(-1, Math.min(1, dot(a, b, from)));
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
