/** The tools that the file of an agent may name, by themselves or by the pack; and which ones an agent gets. */
import type { AgentRole } from './agent-role.ts';

export const TOOL_PACKS = {
  sections: ['memory_append', 'memory_retrieve', 'memory_save'],
  facts: ['forget', 'recall', 'remember'],
  files: ['file_read', 'file_write'],
  http: ['http_request'],
  context: ['more_context'],
  swarm: ['inject-learning', 'memory-delete', 'memory-get', 'memory-search'],
} as const;

export type ToolPack = keyof typeof TOOL_PACKS;

const PACK_NAMES = Object.keys(TOOL_PACKS) as ToolPack[];

/** Everything that `tools` may hold. */
export const TOOL_NAMES: readonly string[] = [
  ...PACK_NAMES,
  ...PACK_NAMES.flatMap((pack) => TOOL_PACKS[pack]),
];

/** What an agent with the role `reader` does not get. */
const CHANGES_MEMORY: readonly string[] = [
  'memory_append',
  'memory_save',
  'forget',
  'remember',
  'inject-learning',
  'memory-delete',
];

export interface ChosenTools {
  /** In alphabetical order. */
  readonly names: readonly string[];
  /** Packs of which at least one tool was chosen. */
  readonly packs: readonly ToolPack[];
}

/**
 * The tools of sections are there whatever is named. An agent that names none gets files and web besides, and facts
 * where its memory is on: what it may reach is bounded by its paths, not by this.
 */
export function chooseTools(
  { tools: named, role }: { readonly tools?: readonly string[]; readonly role?: AgentRole },
  remembersFacts: boolean,
): ChosenTools {
  const wanted = named ?? ['files', 'http', ...(remembersFacts ? ['facts'] : [])];
  const isRefused = (tool: string): boolean => role === 'reader' && CHANGES_MEMORY.includes(tool);
  const isChosen = (pack: ToolPack, tool: string): boolean =>
    !isRefused(tool) && (pack === 'sections' || wanted.includes(pack) || wanted.includes(tool));
  const chosen = PACK_NAMES.map((pack) => {
    const tools: readonly string[] = TOOL_PACKS[pack];
    return { pack, tools: tools.filter((tool) => isChosen(pack, tool)) };
  });
  return {
    names: chosen.flatMap(({ tools }) => tools).sort(),
    packs: chosen.filter(({ tools }) => tools.length > 0).map(({ pack }) => pack),
  };
}
