/** Models that read question and text together: servers, and objects of the AI SDK. */
export { type AiSdkRerankingModel, createAiSdkReranker, isAiSdkRerankingModel } from './ai-sdk-reranker.ts';
export { createHttpReranker, type HttpRerankerOptions } from './http-reranker.ts';
