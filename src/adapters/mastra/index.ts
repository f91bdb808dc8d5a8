/** Memory for agents of Mastra: `keepsake/mastra`. */
export { closeSharedClients } from '../common/memory-of.ts';
export type { AdapterOptions } from '../common/options.ts';
export type { RecalledContext, TurnOptions } from '../common/turn-memory.ts';
export { type KeepsakeForMastra, keepsakeMemory } from './keepsake.ts';
export type { WorkingMemory, WorkingMemoryOptions } from './working-memory.ts';
