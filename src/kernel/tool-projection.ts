/** Tools as projections of verbs: the same definitions serve agents and MCP clients. */

import { defined } from './defined.ts';
import { type AnyVerb, callVerb, type ToolAnswer, type ToolCall, type ToolProjection } from './verb.ts';
import { z } from './zod.ts';

/** `Input` is what the verb takes, `Result` what it answers with. */
export function defineToolOf<Input, Result>(
  tool: ToolProjection<Input, Result>,
): ToolProjection<Input, Result> {
  return tool;
}

/** The text of a memory as a search shows it: one long text must not fill a model's context. */
export function clipped(content: string, characters: number): string {
  if (content.length <= characters) return content;
  return `${content.slice(0, characters).toWellFormed()}…`;
}

export interface VerbTool {
  readonly verb: AnyVerb;
  readonly tool: ToolProjection;
}

/** The tools of the packs, in the order of the packs. */
export function toolsOfPacks(verbs: readonly AnyVerb[], packs: readonly string[]): VerbTool[] {
  const all = verbs.flatMap((verb) =>
    (verb.tools ?? []).map((tool) => ({ verb, tool: tool as ToolProjection })),
  );
  return packs.flatMap((pack) =>
    all.filter(({ tool }) => tool.pack === pack).sort((a, b) => a.tool.place - b.tool.place),
  );
}

/** The arguments that a tool takes. */
export function argumentsOf(tool: ToolProjection, isProject: boolean): z.ZodObject {
  return isProject && tool.projectInput !== undefined ? tool.input.extend(tool.projectInput) : tool.input;
}

/** Does what a model asked for; the arguments were parsed by the tool's own schema. */
export async function callTool(
  { verb, tool }: VerbTool,
  services: unknown,
  args: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<ToolAnswer> {
  const given = defined(args) as Readonly<Record<string, unknown>>;
  const input = tool.toInput === undefined ? given : await tool.toInput(given, call);
  const result = await callVerb(verb, services, input, call.caller);
  return tool.answer(result as never, { ...call, args: given });
}

/** An argument that is not part of the schema is refused instead of being ignored. */
export function strictArguments(schema: z.ZodObject): z.ZodObject {
  return z.strictObject(schema.shape);
}
