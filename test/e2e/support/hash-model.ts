/** A model that needs a moment for each batch and gives every text a vector of its own. */
import type { EmbeddingModel } from '../../../src/index.ts';
import { scriptedVector } from '../../../src/testing/index.ts';

const DIMENSIONS = 64;

export function hashVector(text: string): Float32Array {
  return Float32Array.from(scriptedVector(text, DIMENSIONS));
}

export function hashModel(milliseconds = 0): EmbeddingModel {
  return {
    id: 'test/hash-1',
    dimensions: DIMENSIONS,
    batchSize: 3,
    calibration: { unrelated: 0.2, same: 0.9 },
    async embed(texts) {
      if (milliseconds > 0) await new Promise((go) => setTimeout(go, milliseconds));
      return texts.map(hashVector);
    },
  };
}
