/** The client. */
export { AgentMemory } from './agent-memory.ts';
export {
  type AgentHandle,
  type AgentOptions,
  Client,
  type ClientOptions,
  createClient,
} from './create-client.ts';
export type { Engine, EngineOptions } from './engine.ts';
