/** Keepsake for the OpenAI Agents SDK: `run(agent, input, { session: new KeepsakeSession({ user, thread }) })`. */
export { type CompactionSettings, KeepsakeSession, type KeepsakeSessionOptions } from './session.ts';
export { memoryTools } from './tools.ts';
