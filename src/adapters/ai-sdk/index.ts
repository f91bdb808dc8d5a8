/** Memory for programs of the Vercel AI SDK: `keepsake/ai-sdk`. */
export { closeSharedClients } from '../common/memory-of.ts';
export type { AdapterOptions } from '../common/options.ts';
export type { RecalledContext, TurnOptions } from '../common/turn-memory.ts';
export { type AgentHooks, agentMemory } from './agent.ts';
export { type KeepsakeMiddleware, keepsakeMiddleware } from './middleware.ts';
export { keepsakeEmbedding, keepsakeReranking } from './models.ts';
export { type MemoryToolsOptions, memoryTools } from './tools.ts';
export { type AnyLanguageModel, type Remembering, withKeepsake } from './with-keepsake.ts';
