/** The client. */
export { AgentMemory } from './agent-memory.ts';
export { AgentSections } from './agent-sections.ts';
export { type ConversationSettings, defaultCompressor } from './conversation-settings.ts';
export {
  type AgentHandle,
  type AgentOptions,
  Client,
  type ClientOptions,
  createClient,
} from './create-client.ts';
export type { Engine, EngineOptions } from './engine.ts';
