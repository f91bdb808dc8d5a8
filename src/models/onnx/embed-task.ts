/** In the worker: one vector for each text. */
import { pool } from './pooling.ts';
import type { EmbedSettings, EmbedTask, WorkerRequest } from './protocol.ts';
import type { Encode } from './runtime.ts';
import type { WordPiece } from './word-piece.ts';

/** What the worker does with one request. */
export type Answering = (task: WorkerRequest['task']) => Promise<readonly unknown[]>;

/** As many as the models have positions for; the rest of a text is not read. */
const MAX_PIECES = 512;

/**
 * Text by text: an 8-bit model chooses the steps of its numbers by everything in a call, so that the vector of a text
 * would depend on its neighbours in a batch: in batches of 16 the cosine to the vector made alone fell to 0.98. Without
 * padding this is also as fast on a CPU.
 */
export function embedding(
  { dimensions, pooling }: EmbedSettings,
  encode: Encode,
  wordPiece: WordPiece,
): Answering {
  const embed = async (text: string, prompt: string): Promise<Float32Array> => {
    const pieces = wordPiece.encode(text, MAX_PIECES);
    // No known word between the two marks, no direction; a prompt alone would give it one.
    if (pieces.slice(1, -1).every((piece) => piece === wordPiece.unknown))
      return new Float32Array(dimensions);
    const prompted = prompt === '' ? pieces : wordPiece.encode(prompt + text, MAX_PIECES);
    return pool(await encode(prompted), dimensions, pooling);
  };
  return async (task) => {
    const { texts, prompt } = task as EmbedTask;
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await embed(text, prompt));
    return vectors;
  };
}
