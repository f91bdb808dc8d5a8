/** Remote embedding models and rerankers: servers, and objects of the AI SDK. */
export {
  type AiSdkEmbeddingModel,
  type AiSdkEmbeddingOptions,
  createAiSdkEmbedding,
  isAiSdkEmbeddingModel,
} from './ai-sdk-embedding.ts';
export { type AiSdkRerankingModel, createAiSdkReranker, isAiSdkRerankingModel } from './ai-sdk-reranker.ts';
export { createHttpReranker, type HttpRerankerOptions } from './http-reranker.ts';
export { createOpenAiEmbedding, type OpenAiEmbeddingOptions } from './openai-embedding.ts';
