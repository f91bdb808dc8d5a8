/** Embedding models that are somewhere else: OpenAI-compatible servers, and objects of the AI SDK. */
export {
  type AiSdkEmbeddingModel,
  type AiSdkEmbeddingOptions,
  createAiSdkEmbedding,
  isAiSdkEmbeddingModel,
} from './ai-sdk-embedding.ts';
export { createOpenAiEmbedding, type OpenAiEmbeddingOptions } from './openai-embedding.ts';
