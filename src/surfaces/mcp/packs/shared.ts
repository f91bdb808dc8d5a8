/** What the packs share with the tools of agents: names, descriptions and arguments are defined once, there. */
import type { z } from 'zod';
import type { Engine } from '../../../client/index.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { Tool } from '../../../operations/tool-packs.ts';
import type { McpTool } from '../tool.ts';

/** `isProject`: see Identity. */
export type Pack = (engine: Engine, caller: Caller, options: { readonly isProject: boolean }) => McpTool[];

/** The definition of an agent's tool by its name; the arguments are typed by whoever asks. */
export function definitions(tools: readonly Tool[]) {
  return <Input>(name: string) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new TypeError(`No pack of agents has a tool ${name}.`);
    return { name, description: tool.description, input: tool.input as z.ZodType<Input> };
  };
}
