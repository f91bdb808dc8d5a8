/** Reads the swarms of the configuration, with the files of their agents. */
import { type AgentDefinition, loadAgent } from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { nearestName } from '../kernel/nearest.ts';
import { type LocatedWorkspace, locate, type WorkspaceTarget } from './target.ts';

export type SwarmSettings = Config['swarms'][string];

export interface FoundSwarm {
  readonly name: string;
  readonly settings: SwarmSettings;
  /** Of all agents, and of the lead where it is none of them. */
  readonly definitions: readonly AgentDefinition[];
  readonly workspace: LocatedWorkspace;
}

/** Reads files only: what is wrong with them is told before anything is opened. */
export async function swarmsFind(target: WorkspaceTarget & { readonly name: string }): Promise<FoundSwarm> {
  const workspace = locate(target);
  const { swarms } = workspace.config;
  const { name } = target;
  const settings = Object.hasOwn(swarms, name) ? swarms[name] : undefined;
  if (settings === undefined) throw noSuchSwarm(name, Object.keys(swarms), workspace);
  const names = [...new Set([...settings.agents, settings.lead])];
  const definitions = await Promise.all(names.map((agent) => loadAgent(workspace.paths.agentsFolder, agent)));
  return { name, settings, definitions, workspace };
}

function noSuchSwarm(name: string, all: readonly string[], { paths }: LocatedWorkspace): KeepsakeError {
  const near = nearestName(name, all);
  const example = `"swarms": { ${JSON.stringify(name)}: { "agents": ["researcher-1", "researcher-2"], "lead": "editor" } }`;
  const hint =
    near !== undefined
      ? `Did you mean "${near}"?`
      : all.length > 0
        ? `Configured swarms: ${all.join(', ')}.`
        : `Add it to ${paths.configFile}, for example ${example}`;
  return new KeepsakeError('NOT_FOUND', `No swarm ${JSON.stringify(name)} is configured.`, {
    hint,
    details: { name, available: all },
  });
}
