/** Validates the files that define agents, and reports for each one its settings and its errors. */

import {
  type Config,
  type Environment,
  HISTORY_LIMITS,
  type HistoryLevel,
  openLanguageModel,
  readEnvironment,
  readLanguageChoice,
} from '../config/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest.ts';
import {
  type AgentDefinition,
  type AgentRole,
  chooseTools,
  describeTrigger,
  examineAgents,
  pathsOf,
  resolveDefinition,
} from './agent-definitions.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export interface AgentProblem {
  /** Starts at 1; absent for what is wrong with the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly path: string;
  readonly message: string;
}

export interface ModelState {
  /** `provider/model`. */
  readonly id: string;
  readonly ok: boolean;
  /** "API key set", or what is missing. */
  readonly note: string;
}

export interface ValidAgent {
  readonly name: string;
  readonly file: string;
  /** Whether it could run now. */
  readonly ok: boolean;
  readonly model: ModelState;
  readonly history: { readonly level: HistoryLevel; readonly messages: number };
  readonly memory: boolean;
  /** Whether MEMORY.md is kept and sent. */
  readonly persistentMemory: boolean;
  readonly role: AgentRole;
  readonly trigger: string;
  readonly prompt: { readonly characters: number };
  readonly paths: readonly string[];
  readonly allowHosts: readonly string[];
  /** In alphabetical order. */
  readonly tools: readonly string[];
  readonly description?: string;
  /** What works, but probably not as it was meant. */
  readonly warnings: readonly string[];
}

export interface InvalidAgent {
  readonly name: string;
  readonly file: string;
  readonly ok: false;
  readonly problems: readonly AgentProblem[];
}

/** A swarm of the configuration that could not begin. */
export interface InvalidSwarm {
  readonly name: string;
  readonly problems: readonly string[];
}

export interface ValidationReport {
  readonly workspace: string;
  readonly ok: boolean;
  readonly agents: readonly (ValidAgent | InvalidAgent)[];
  /** Only those with problems; looked at when no agent is named. */
  readonly swarms: readonly InvalidSwarm[];
  readonly warnings: readonly string[];
}

/** Undefined when the model can be asked; no server is. */
async function obstacle(id: string, models: Config['models'], env: Environment): Promise<string | undefined> {
  try {
    const model = await openLanguageModel(id, { models, env });
    return model === undefined
      ? 'no model is configured; set "model" here or models.main in keepsake.jsonc'
      : undefined;
  } catch (error) {
    if (!KeepsakeError.is(error)) throw error;
    const { code, message, hint, details } = error;
    if (code === 'UNAUTHORIZED') return `API key missing: set ${String(details.variable)}`;
    return hint === undefined ? message : `${message} ${hint}`;
  }
}

async function modelState(id: string, models: Config['models'], env: Environment): Promise<ModelState> {
  const missing = await obstacle(id, models, env);
  if (missing !== undefined) return { id, ok: false, note: missing };
  const key = readLanguageChoice(id, models.baseUrl, env)?.apiKey;
  return { id, ok: true, note: key === undefined ? 'no API key needed' : 'API key set' };
}

async function describe(definition: AgentDefinition, config: Config, env: Environment): Promise<ValidAgent> {
  const { name, file, trigger, prompt, allowHosts, description, role = 'worker' } = definition;
  const { model: id, history, memory, persistentMemory } = resolveDefinition(definition, config);
  const chosen = chooseTools(definition, memory.enabled);
  const model = await modelState(id, config.models, env);
  return {
    ...{ name, file, ok: model.ok, model, allowHosts, role, persistentMemory },
    paths: definition.paths,
    ...defined({ description }),
    history: { level: history, messages: HISTORY_LIMITS[history] },
    memory: memory.enabled,
    trigger: describeTrigger(trigger),
    prompt: { characters: [...prompt].length },
    tools: chosen.names,
    warnings: warningsOf(definition, chosen.packs, history),
  };
}

function warningsOf(
  definition: AgentDefinition,
  packs: readonly string[],
  history: HistoryLevel,
): readonly string[] {
  const { paths, persistentMemory } = definition;
  const [folder] = pathsOf(definition);
  return [
    ...(packs.includes('files') && paths.length === 0
      ? [`no "paths" are set, so file_read and file_write use ${folder} only`]
      : []),
    ...(persistentMemory === true && history === 'off'
      ? ['"persistentMemory" has no effect, because "history" is off and nothing is stored']
      : []),
  ];
}

/** Members that no file defines. One whose file is wrong is told of with the agents. */
function invalidSwarms({ swarms }: Config, agents: readonly { readonly name: string }[]): InvalidSwarm[] {
  const defined = agents.map(({ name }) => name);
  const problemOf = (role: string, name: string): string[] => {
    if (defined.includes(name)) return [];
    const near = nearestName(name, defined);
    const guess = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    return [`${role}: agents/${name}.md does not exist.${guess}`];
  };
  return Object.entries(swarms)
    .map(([name, { agents: members, lead }]) => ({
      name,
      problems: [...members.flatMap((each) => problemOf('agents', each)), ...problemOf('lead', lead)],
    }))
    .filter(({ problems }) => problems.length > 0);
}

export async function agentsValidate(
  target: WorkspaceTarget & { readonly names?: readonly string[] },
): Promise<ValidationReport> {
  const { root, config, paths, warnings } = locate(target);
  const env = readEnvironment();
  const found = await examineAgents(paths.agentsFolder, target.names);
  const agents = await Promise.all(
    found.map(async ({ name, file, examined }): Promise<ValidAgent | InvalidAgent> => {
      const { definition, problems } = examined;
      if (definition !== undefined) return describe(definition, config, env);
      return { name, file, ok: false, problems: problems.map(({ file: _, ...problem }) => problem) };
    }),
  );
  const named = target.names ?? [];
  const swarms = named.length > 0 ? [] : invalidSwarms(config, agents);
  const ok = agents.every((agent) => agent.ok) && swarms.length === 0;
  return { workspace: root, ok, agents, swarms, warnings };
}
