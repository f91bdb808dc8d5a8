/** The agents that the files of a workspace define, and what is handed to a client to run one. */

import {
  type AgentDefinition,
  chooseTools,
  describeTrigger,
  examineAgents,
  loadAgent,
  ScheduleBook,
  Scheduler,
  type SchedulerEvent,
  type SchedulerParts,
  timingOf,
} from '../agents/index.ts';
import { type Config, resolveAgentConfig } from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export type { AgentDefinition, SchedulerEvent, SchedulerParts };
export { chooseTools, describeTrigger, examineAgents, ScheduleBook, Scheduler, timingOf };

export interface FoundAgent {
  readonly definition: AgentDefinition;
  readonly workspace: LocatedWorkspace;
}

/** Reads one file; no database is opened, so that a mistake in it costs nothing. */
export async function agentsFind(target: WorkspaceTarget & { readonly name: string }): Promise<FoundAgent> {
  const workspace = locate(target);
  return { definition: await loadAgent(workspace.paths.agentsFolder, target.name), workspace };
}

/** The settings of the configuration with those of the file on top. */
export function resolveDefinition(definition: AgentDefinition, config: Config) {
  const configured = resolveAgentConfig(config, definition.name);
  return {
    model: definition.model ?? configured.models.main,
    history: definition.history ?? configured.history,
    memory: { ...configured.memory, ...definition.memory },
  };
}

/** What `client.agent()` takes. */
export function agentSettings(definition: AgentDefinition, config: Config) {
  const { name, prompt, paths, allowHosts, history, model, light, memory, maxLoops } = definition;
  const { description, temperature, rules } = definition;
  const chosen = chooseTools(definition.tools, resolveDefinition(definition, config).memory.enabled);
  return {
    ...{ name, systemPrompt: prompt, paths, allowHosts, packs: chosen.packs, toolNames: chosen.names },
    // An agent that says so keeps nothing of what was said, in no form.
    ...(history === 'off' ? { persistentMemory: false } : {}),
    ...defined({ history, description, model, light, memory, maxLoops, temperature, rules }),
  };
}
