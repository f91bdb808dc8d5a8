/** The client. */

export type { SwarmRun } from '../agents/index.ts';
export {
  memoryContext,
  noteContextUsed,
  type Receipt,
  type ReceiptOf,
  renderReceipt,
  type SessionReceipts,
} from '../context/index.ts';
export { noteFailedReview, plainLearn, type SpokenMessage, sessionLearn } from '../learning/index.ts';
export type { GenerateRequest, LanguageModel } from '../ports/language-model.ts';
export type { SharedState } from '../working/index.ts';
export { Agent, type NewAgentOptions } from './agent.ts';
export { AgentHandle, type AgentOptions, type RunOptions, type SessionOptions } from './agent-handle.ts';
export type { ConversationSettings } from './conversation-settings.ts';
export {
  Client,
  type ClientOptions,
  createClient,
  type EraseInput,
} from './create-client.ts';
export type { Engine, EngineOptions } from './engine.ts';
export { fullMemoryId } from './full-memory-id.ts';
export type { MemoryTool, MemoryToolPack } from './handle-tools.ts';
export type { KnowledgeMemoryOptions } from './knowledge-memory.ts';
export type { MemoryFilter } from './memory-filter.ts';
export { rankDocuments } from './rank-documents.ts';
export * from './sdk/index.ts';
export { loadStaticEmbedding } from './static-embedding.ts';
export {
  Runs,
  type StartOptions,
  Swarm,
  type SwarmOptions,
  type SwarmOutcome,
} from './swarm.ts';
export { UserHandle } from './user-handle.ts';
