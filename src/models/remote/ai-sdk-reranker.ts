/** Any reranking model of the AI SDK, passed as an object; only its shape matters, so `ai` is not needed here. */
import type { Reranker } from '../../ports/reranker.ts';
import { readScores } from './reranker-scores.ts';

/** What the specifications v3 and v4 of the AI SDK have in common. */
export interface AiSdkRerankingModel {
  readonly provider: string;
  readonly modelId: string;
  doRerank(options: {
    readonly query: string;
    readonly documents: { readonly type: 'text'; readonly values: string[] };
    readonly abortSignal: AbortSignal;
  }): PromiseLike<{
    readonly ranking: readonly { readonly index: number; readonly relevanceScore: number }[];
  }>;
}

export function isAiSdkRerankingModel(value: unknown): value is AiSdkRerankingModel {
  if (typeof value !== 'object' || value === null) return false;
  const { provider, modelId, doRerank } = value as Partial<AiSdkRerankingModel>;
  return typeof provider === 'string' && typeof modelId === 'string' && typeof doRerank === 'function';
}

/** Somebody waits for the search. */
const TIMEOUT_MS = 5_000;

export function createAiSdkReranker(model: AiSdkRerankingModel, timeoutMs = TIMEOUT_MS): Reranker {
  const id = `ai-sdk/${model.provider}/${model.modelId}`;
  return {
    id,
    async rerank(query, texts) {
      const { ranking } = await model.doRerank({
        query,
        documents: { type: 'text', values: [...texts] },
        abortSignal: AbortSignal.timeout(timeoutMs),
      });
      return readScores(ranking, texts.length, id);
    },
  };
}
