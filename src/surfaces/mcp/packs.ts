/** The packs of tools that MCP clients choose from; each tool is a projection of a verb. */
import { type Engine, fullMemoryId } from '../../client/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { argumentsOf, callTool, toolsOfPacks, type VerbTool } from '../../kernel/tool-projection.ts';
import type { AnyVerb } from '../../kernel/verb.ts';
import { VERBS } from '../../verbs.ts';
import { callerOf, type Identity } from './identity.ts';
import { type McpTool, mcpTool } from './tool.ts';

export const PACK_NAMES = ['facts', 'sections', 'swarm', 'state'] as const;
export type PackName = (typeof PACK_NAMES)[number];
/** Few tools, because every one of them costs each prompt of whoever connects. */
export const DEFAULT_PACKS: readonly PackName[] = ['facts'];

export function packNames(list: string): PackName[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].map((name) => {
    const known = PACK_NAMES.find((pack) => pack === name);
    if (known !== undefined) return known;
    throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(name)} is not a pack of tools.`, {
      hint: `Choose from ${PACK_NAMES.join(', ')}, separated by commas.`,
    });
  });
}

/** Readers are not offered tools that would be refused. */
export function toolsOf(
  engine: Engine,
  identity: Identity,
  packs: readonly PackName[],
  verbs: readonly AnyVerb[] = VERBS,
): McpTool[] {
  const tools = toolsOfPacks(verbs, packs);
  const offered = identity.role === 'reader' ? tools.filter(({ verb }) => verb.effect === 'read') : tools;
  return offered.map((tool) => project(tool, engine, identity));
}

function project(verbTool: VerbTool, engine: Engine, identity: Identity): McpTool {
  const { verb, tool } = verbTool;
  const { isProject = false } = identity;
  const caller = callerOf(identity);
  const fullId = (named: string) => fullMemoryId(named, engine, caller);
  return mcpTool({
    name: tool.name,
    verb: verb.name,
    title: tool.title,
    description: tool.description ?? verb.description,
    effect: tool.destructive === true ? 'destroy' : verb.effect,
    idempotent: tool.idempotent ?? verb.effect !== 'write',
    input: argumentsOf(tool, isProject),
    output: tool.output,
    renamed: tool.renamed ?? {},
    run: (args) => callTool(verbTool, engine, args, { caller, fullId, isProject }),
  });
}
