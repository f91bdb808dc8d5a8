/** The tools that an agent has for its memory: verbs, projected for a model that runs inside of Keepsake. */
import type { Caller } from '../kernel/caller.ts';
import { defineTool, type Tool } from '../kernel/tool.ts';
import { argumentsOf, callTool, toolsOfPacks, type VerbTool } from '../kernel/tool-projection.ts';
import type { AnyVerb } from '../kernel/verb.ts';
import { type Services, VERBS } from '../verbs.ts';

export const NO_IDENTITY =
  'This session has no agent identity, so nothing is remembered, recalled or forgotten here. Run a named agent to use memory.';

export interface AgentToolParts {
  readonly services: Services;
  /** Undefined in a raw session: the tools exist and say so. */
  readonly caller: Caller | undefined;
  /** The whole id of a memory that the model named by the short one in its prompt. */
  readonly fullId: (named: string) => string;
  readonly verbs?: readonly AnyVerb[];
}

export function packTools(pack: 'facts' | 'sections' | 'swarm', parts: AgentToolParts): Tool[] {
  return toolsOfPacks(parts.verbs ?? VERBS, [pack])
    .filter(({ tool }) => tool.offered !== 'mcp')
    .map((verbTool) => agentTool(verbTool, parts));
}

function agentTool(verbTool: VerbTool, { services, caller, fullId }: AgentToolParts): Tool {
  const { verb, tool } = verbTool;
  return defineTool({
    name: tool.name,
    description: tool.description ?? verb.description,
    readOnly: verb.effect === 'read',
    input: argumentsOf(tool, false),
    run: async (args) => {
      if (caller === undefined) return NO_IDENTITY;
      return (await callTool(verbTool, services, args, { caller, fullId, isProject: false })).text;
    },
  });
}
