/** Resolves history and MEMORY.md of a Markdown agent: its file first, then the configuration. */
import { type Config, HISTORY_LIMITS, type HistoryLevel, resolveAgentConfig } from '../../config/index.ts';
import type { AgentDefinition } from './definition.ts';

export interface DefinedConversation {
  readonly history: HistoryLevel;
  /** Whether MEMORY.md is kept and sent. */
  readonly persistentMemory: boolean;
}

/**
 * A Markdown agent has no MEMORY.md unless it asks for one: its history level is all that is sent of the past. The
 * default of the whole workspace does not count, because it is on for agents of programs.
 */
export function definedConversation(
  definition: Pick<AgentDefinition, 'name' | 'history' | 'persistentMemory'>,
  config: Config,
): DefinedConversation {
  const { name } = definition;
  const history = definition.history ?? resolveAgentConfig(config, name).history;
  const own = Object.hasOwn(config.agents, name) ? config.agents[name]?.persistentMemory : undefined;
  const isWanted = definition.persistentMemory ?? own ?? history === 'preamble';
  return { history, persistentMemory: isWanted && history !== 'off' };
}

/** The same as the conversation itself takes it. */
export function definedSwitches(
  definition: Pick<AgentDefinition, 'name' | 'history' | 'persistentMemory'>,
  config: Config,
): { readonly historyLimit: number; readonly persistentMemory: boolean } {
  const { history, persistentMemory } = definedConversation(definition, config);
  return { historyLimit: HISTORY_LIMITS[history], persistentMemory };
}
