/** Keepsake's embedding model as an AI SDK model. (To use an AI SDK model in Keepsake, pass it to createClient().) */
import type { EmbeddingModel } from 'ai';
import { loadStaticEmbedding } from '../../client/index.ts';

const MOST_VALUES = 1_000;

/** The model that Keepsake ships: offline and without a key, for `embed` and `embedMany`. */
export function keepsakeEmbedding(): Exclude<EmbeddingModel, string> {
  const opened = once(loadStaticEmbedding);
  return {
    specificationVersion: 'v4',
    provider: 'keepsake',
    modelId: 'static',
    maxEmbeddingsPerCall: MOST_VALUES,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      const vectors = await (await opened()).embed(values, 'document', abortSignal);
      return { embeddings: vectors.map((vector) => Array.from(vector)), warnings: [] };
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
