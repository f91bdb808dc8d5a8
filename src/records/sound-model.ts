/** Validates results of an embedding model, which may be custom code, and aborts its calls when the client closes. */

import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { traced } from '../kernel/tracing.ts';
import type { EmbeddingModel, WordVector } from '../ports/embedding-model.ts';

/** The same model; a vector that is not valid becomes an error. */
export function soundModel(model: EmbeddingModel): EmbeddingModel {
  const { id, embedNow, wordNow } = model;
  const sound = (vector: unknown): Float32Array => soundVector(vector, model);
  return {
    id,
    // Some servers report it with their first answer only.
    get dimensions() {
      return model.dimensions;
    },
    batchSize: Math.max(1, Math.floor(model.batchSize) || 1),
    calibration: model.calibration,
    async embed(texts, kind, signal) {
      const vectors: unknown = await traced(
        'keepsake.embed',
        { 'keepsake.model': model.id, 'keepsake.texts': texts.length },
        () => unlessAborted(model.embed(texts, kind, signal), signal),
      );
      if (!Array.isArray(vectors) || vectors.length !== texts.length) {
        const count = Array.isArray(vectors) ? vectors.length : 'no';
        throw unsound(id, `gave ${count} vectors for ${texts.length} texts`);
      }
      return vectors.map(sound);
    },
    ...defined({
      embedNow: embedNow && ((text: string) => sound(embedNow.call(model, text))),
      wordNow: wordNow && ((word: string) => soundWord(wordNow.call(model, word), sound)),
    }),
    close: async () => model.close?.(),
  };
}

function soundWord(
  { vector, weight, isKnown }: WordVector,
  sound: (vector: unknown) => Float32Array,
): WordVector {
  return { vector: sound(vector), weight: Number.isFinite(weight) ? weight : 1, isKnown };
}

function soundVector(vector: unknown, { id, dimensions }: EmbeddingModel): Float32Array {
  const numbers = Array.isArray(vector) ? Float32Array.from(vector as number[]) : vector;
  if (!(numbers instanceof Float32Array)) throw unsound(id, 'gave something that is not a vector');
  if (dimensions > 0 && numbers.length !== dimensions) {
    throw unsound(id, `gave a vector of ${numbers.length} dimensions instead of ${dimensions}`);
  }
  if (!areFinite(numbers)) throw unsound(id, 'gave a vector with numbers that are not finite');
  return numbers;
}

/** A sum is finite only if all that was added is: numbers of 32 bits cannot add up to more than a double holds. */
function areFinite(numbers: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += Math.abs(numbers[i]!);
  return Number.isFinite(sum);
}

function unsound(id: string, what: string): KeepsakeError {
  return new KeepsakeError('INTERNAL', `The embedding model ${id} ${what}.`, {
    hint: 'Choose another model, or fix this one; the texts can be embedded later.',
    details: { model: id },
  });
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new KeepsakeError('ABORTED', 'Embedding was stopped.'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
