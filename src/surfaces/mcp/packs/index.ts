/** The packs of tools, by name. */
import type { Engine } from '../../../client/index.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { callerOf, type Identity } from '../identity.ts';
import type { McpTool } from '../tool.ts';
import { factsPack } from './facts.ts';
import { sectionsPack } from './sections.ts';
import type { Pack } from './shared.ts';
import { statePack } from './state.ts';
import { swarmPack } from './swarm.ts';

const PACKS = {
  facts: factsPack,
  sections: sectionsPack,
  swarm: swarmPack,
  state: statePack,
} satisfies Record<string, Pack>;

export type PackName = keyof typeof PACKS;
export const PACK_NAMES = Object.keys(PACKS) as readonly PackName[];
/** Few tools, because every one of them costs each prompt of whoever connects. */
export const DEFAULT_PACKS: readonly PackName[] = ['facts'];

export function packNames(list: string): PackName[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))].map((name) => {
    const known = PACK_NAMES.find((pack) => pack === name);
    if (known !== undefined) return known;
    throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(name)} is no pack of tools.`, {
      hint: `Choose from ${PACK_NAMES.join(', ')}, with commas between them.`,
    });
  });
}

/** A reader is not offered what would be refused. */
export function toolsOf(engine: Engine, identity: Identity, packs: readonly PackName[]): McpTool[] {
  const caller = callerOf(identity);
  const { isProject = false } = identity;
  const tools = packs.flatMap((name) => (PACKS[name] as Pack)(engine, caller, { isProject }));
  return identity.role === 'reader' ? tools.filter(({ effect }) => effect === 'read') : tools;
}
