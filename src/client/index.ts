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
export { type SpokenMessage, sessionLearn } from '../learning/index.ts';

export type { SharedState } from '../working/index.ts';
export { Agent, type NewAgentOptions } from './agent.ts';
export { AgentHandle, type AgentOptions, type RunOptions, type SessionOptions } from './agent-handle.ts';
export { AgentKnowledge, type KnowledgeMemoryOptions } from './agent-knowledge.ts';
export { AgentLog } from './agent-log.ts';
export { AgentMemory } from './agent-memory.ts';
export { AgentSections } from './agent-sections.ts';
export type { ConversationSettings } from './conversation-settings.ts';
export {
  Client,
  type ClientOptions,
  createClient,
} from './create-client.ts';
export type { Engine, EngineOptions } from './engine.ts';
export { fullMemoryId } from './full-memory-id.ts';
export type {
  ListOptions,
  MemoryChanges,
  MemoryFilter,
  NewLesson,
  NewMemory,
  PruneOptions,
  RecallOptions,
  SearchOptions,
  StandingOptions,
  UndoOptions,
} from './memory-inputs.ts';
export {
  Runs,
  type StartOptions,
  Swarm,
  type SwarmOptions,
  type SwarmOutcome,
} from './swarm.ts';
