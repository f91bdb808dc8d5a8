/** Memory tools for agents of the OpenAI Agents SDK: the model remembers, recalls and forgets by itself. */
import { type FunctionTool, tool } from '@openai/agents-core';
import type { MemoryToolPack } from '../../client/index.ts';
import { z } from '../../kernel/zod.ts';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';

export interface MemoryToolsOptions extends Omit<WhoseMemory, 'thread'>, WhichStore {
  /** Default: facts, which are remember, recall and forget. */
  readonly packs?: readonly MemoryToolPack[] | undefined;
}

/** For `new Agent({ tools: memoryTools({ user }) })`. A tool that fails tells the model why. */
export function memoryTools(options: MemoryToolsOptions = {}): FunctionTool[] {
  checkOptions('memoryTools', options, { ...OWNER_OPTIONS, packs: true });
  const { packs, ...whose } = options;
  const tools = memoryOf(whose)
    .tools(packs)
    .map(({ name, description, input, run }) =>
      tool({
        ...{ name, description, strict: false },
        // Not strict: fields that may be left out are what a model leaves out.
        parameters: plainSchema(input) as never,
        execute: async (args: unknown) => (await run(args)).text,
      }),
    );
  return tools as unknown as FunctionTool[];
}

/** A copy as plain JSON: what zod makes is also a schema by which the SDK would parse. */
const plainSchema = (input: z.ZodObject): unknown =>
  JSON.parse(JSON.stringify(z.toJSONSchema(input, { io: 'input' })));
