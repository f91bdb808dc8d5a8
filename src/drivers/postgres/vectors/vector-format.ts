/** Converts vectors to and from the format of pgvector. */

/** Two numbers of 16 bits: the dimensions, and nothing. */
const HEADER_BYTES = 4;
const NUMBER_BYTES = 4;

/** Each number in as many digits as it takes to read the same number again. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;

/** What `vector_send` gives: exact, and a third of the text. */
export function readVector(sent: Buffer): Float32Array {
  const vector = new Float32Array((sent.length - HEADER_BYTES) / NUMBER_BYTES);
  for (let i = 0; i < vector.length; i++) vector[i] = sent.readFloatBE(HEADER_BYTES + i * NUMBER_BYTES);
  return vector;
}
