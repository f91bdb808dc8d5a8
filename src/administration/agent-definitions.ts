/** Reads the agents that files of a workspace define, and makes the options with which a client runs one. */
import { mkdir, writeFile } from 'node:fs/promises';
import {
  type AgentDefinition,
  type AgentRole,
  chooseTools,
  definedConversation,
  describeTrigger,
  examineAgents,
  listAgentFiles,
  loadAgent,
  ScheduleBook,
  Scheduler,
  type SchedulerEvent,
  type SchedulerParts,
  timingOf,
} from '../agents/index.ts';
import { type Config, resolveAgentConfig } from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { checkAgentName } from '../kernel/names.ts';
import { type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export type { AgentDefinition, AgentRole, SchedulerEvent, SchedulerParts };
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

/** Writes agents/<name>.md with a prompt to be completed by a person; an existing file is left in place. */
export async function agentsCreate(
  target: WorkspaceTarget & { readonly name: string },
): Promise<{ readonly file: string }> {
  const { paths } = locate(target);
  const name = checkAgentName(target.name);
  const file = paths.agentFile(name);
  await mkdir(paths.agentsFolder, { recursive: true });
  await writeFile(file, `---\nname: ${JSON.stringify(name)}\nhistory: low\n---\nYou are ${name}.\n`, {
    flag: 'wx',
  });
  return { file };
}

/** The role that agents/<name>.md gives an agent; undefined when no file defines it or the file says nothing. */
export async function roleInFile(folder: string, name: string): Promise<AgentRole | undefined> {
  if (!(await listAgentFiles(folder)).includes(name)) return undefined;
  return (await loadAgent(folder, name)).role;
}

/** The settings of the configuration with those of the file on top. */
export function resolveDefinition(definition: AgentDefinition, config: Config) {
  const configured = resolveAgentConfig(config, definition.name);
  return {
    model: definition.model ?? configured.models.main,
    ...definedConversation(definition, config),
    memory: { ...configured.memory, ...definition.memory },
  };
}

/** What an agent may touch: what its file names, else a folder of its own beside its memory. */
export function pathsOf({ name, paths }: Pick<AgentDefinition, 'name' | 'paths'>): readonly string[] {
  return paths.length > 0 ? paths : [`agents/${name}/files/`];
}

/** What `client.agent()` takes. */
export function agentSettings(definition: AgentDefinition, config: Config) {
  const { name, role, prompt, allowHosts, model, light, memory, maxLoops } = definition;
  const { description, temperature, rules } = definition;
  const { history, persistentMemory, memory: resolved } = resolveDefinition(definition, config);
  const chosen = chooseTools(definition, resolved.enabled);
  return {
    ...{ name, systemPrompt: prompt, paths: pathsOf(definition), allowHosts, history, persistentMemory },
    ...{ packs: chosen.packs, toolNames: chosen.names },
    ...defined({ role, description, model, light, memory, maxLoops, temperature, rules }),
  };
}
