/** Memory tools of the AI SDK: the model remembers, recalls and forgets by itself. */
import { type ToolSet, tool } from 'ai';
import type { MemoryToolPack } from '../../client/index.ts';
import { checkOptions, OWNER_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';

export interface MemoryToolsOptions extends WhoseMemory, WhichStore {
  /** Default: facts, which are remember, recall and forget. */
  readonly packs?: readonly MemoryToolPack[] | undefined;
}

/** For `tools` of generateText, streamText and ToolLoopAgent. A tool that fails throws, which the SDK shows to the model. */
export function memoryTools(options: MemoryToolsOptions = {}): ToolSet {
  checkOptions('memoryTools', options, { ...OWNER_OPTIONS, thread: true, packs: true });
  const { packs, ...whose } = options;
  const handle = memoryOf(whose);
  return Object.fromEntries(
    handle
      .tools(packs)
      .map(({ name, description, input, run }) => [
        name,
        tool({ description, inputSchema: input, execute: async (args) => (await run(args)).text }),
      ]),
  );
}
