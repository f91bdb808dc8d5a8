/** The memory tools of an agent for a model that another program runs; they work on a server too, because each is one call of a verb. */

import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { toKeepsakeError } from '../kernel/errors.ts';
import { argumentsOf, strictArguments, toolsOfPacks, type VerbTool } from '../kernel/tool-projection.ts';
import { refusedAs, validate } from '../kernel/validate.ts';
import type { ToolAnswer } from '../kernel/verb.ts';
import type { z } from '../kernel/zod.ts';
import { VERBS, verbs } from '../verbs.ts';
import type { Call } from './call.ts';
import { fullMemoryId } from './full-memory-id.ts';

export type MemoryToolPack = 'facts' | 'sections' | 'swarm';

export interface MemoryTool {
  readonly name: string;
  readonly title: string;
  /** For a model. */
  readonly description: string;
  readonly readOnly: boolean;
  readonly input: z.ZodObject;
  /** What the tool answers: `text` for a model to read. Throws a KeepsakeError when it fails. */
  run(args: unknown): Promise<ToolAnswer>;
}

export function memoryToolsOf(call: Call, caller: Caller, packs: readonly MemoryToolPack[]): MemoryTool[] {
  return toolsOfPacks(VERBS, packs)
    .filter(({ tool }) => tool.offered !== 'mcp')
    .map((verbTool) => memoryTool(verbTool, call, caller));
}

function memoryTool({ verb, tool }: VerbTool, call: Call, caller: Caller): MemoryTool {
  const input = strictArguments(argumentsOf(tool, false));
  const list = (query: object) => call(verbs.memoryList, query);
  const toolCall = {
    caller,
    isProject: false,
    fullId: (named: string) => fullMemoryId(named, { records: { list } as never }, caller),
  };
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description ?? verb.description,
    readOnly: verb.effect === 'read',
    input,
    run: async (given) => {
      try {
        const args = defined(validate(input, given ?? {}, tool.name)) as Readonly<Record<string, unknown>>;
        const asked = tool.toInput === undefined ? args : await tool.toInput(args, toolCall);
        return tool.answer((await call(verb, asked as never)) as never, { ...toolCall, args });
      } catch (thrown) {
        // What the verb refuses is reported in the words of the tool, the only ones that its caller knows.
        throw refusedAs(toKeepsakeError(thrown), {
          schema: input,
          verb: tool.name,
          renamed: tool.renamed ?? {},
        });
      }
    },
  };
}
