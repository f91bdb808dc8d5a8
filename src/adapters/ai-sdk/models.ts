/** Keepsake's embedding and ranking as models of the AI SDK. (To use models of the AI SDK in Keepsake, pass them to createClient().) */
import type { EmbeddingModel, RerankingModel } from 'ai';
import { loadStaticEmbedding, rankDocuments } from '../../client/index.ts';

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

/** Words and meaning together, as memories are ranked: offline and without a key, for `rerank`. */
export function keepsakeReranking(): Exclude<RerankingModel, string> {
  return {
    specificationVersion: 'v4',
    provider: 'keepsake',
    modelId: 'hybrid',
    async doRerank({ query, documents, topN = documents.values.length, abortSignal }) {
      const texts = documents.values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
      const scores = await rankDocuments(query, texts, abortSignal);
      const ranking = scores.map((relevanceScore, index) => ({ index, relevanceScore }));
      return { ranking: ranking.sort((a, b) => b.relevanceScore - a.relevanceScore).slice(0, topN) };
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
