/** Memory for agents of Mastra: a processor that recalls, one that saves, tools, and a working memory for each user. */
import type { Processor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import type { MemoryToolPack } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import { checkOptions, TURN_OPTIONS } from '../common/check-options.ts';
import type { TurnOptions } from '../common/turn-memory.ts';
import { lastFrom, Scopes, scopeOf, textOf } from './scope.ts';
import { type WorkingMemory, type WorkingMemoryOptions, workingMemory } from './working-memory.ts';

type InputProcessor = Processor & Required<Pick<Processor, 'processInput'>>;
type OutputProcessor = Processor & Required<Pick<Processor, 'processOutputResult'>>;
type MastraTool = ReturnType<typeof createTool>;

export interface KeepsakeForMastra {
  /** For `inputProcessors`: what the agent should know enters its system messages. */
  recall(): InputProcessor;
  /** For `outputProcessors`: saves what the user said and what the agent answered. */
  save(): OutputProcessor;
  /** For `tools`: the agent remembers, recalls and forgets by itself. */
  tools(options?: { readonly packs?: readonly MemoryToolPack[] }): Record<string, MastraTool>;
  /** A note about the user that the agent sees in every prompt and keeps up to date itself. */
  workingMemory(options?: WorkingMemoryOptions): WorkingMemory;
  /** Resolves once all turns are saved; `waiting` counts those that memory refused so far. */
  settled(): Promise<{ readonly waiting: number }>;
}

/** Users and threads come from each call: `agent.generate(text, { memory: { resource, thread } })`. */
export function keepsakeMemory(options: TurnOptions = {}): KeepsakeForMastra {
  checkOptions('keepsakeMemory', options, TURN_OPTIONS);
  const scopes = new Scopes(options);
  return {
    recall: () => ({
      id: 'keepsake-recall',
      async processInput({ messages, systemMessages, requestContext }) {
        const asked = lastFrom(messages, 'user');
        const memory = scopes.of(scopeOf(requestContext, asked ?? {}));
        const recalled = await memory.recall(asked === undefined ? '' : textOf(asked), asked?.id ?? '');
        if (recalled === undefined) return { messages, systemMessages };
        return { messages, systemMessages: [...systemMessages, { role: 'system', content: recalled.text }] };
      },
    }),
    save: () => ({
      id: 'keepsake-save',
      async processOutputResult({ messages, messageList, result, requestContext }) {
        const asked = lastFrom(messageList.get.all.db(), 'user');
        const memory = scopes.of(scopeOf(requestContext, asked ?? lastFrom(messages, 'assistant') ?? {}));
        const saved = memory.save([
          { role: 'user', text: asked === undefined ? '' : textOf(asked) },
          { role: 'assistant', text: result.text },
        ]);
        if (options.strict === true) await saved;
        return messages;
      },
    }),
    tools: (given = {}) => {
      checkOptions('tools', given, { packs: true });
      const { packs } = given;
      return Object.fromEntries(
        scopes
          .of({})
          .handle.tools(packs)
          .map(({ name, description, input }) => [
            name,
            createTool({
              id: name,
              description,
              inputSchema: input,
              execute: async (args, context) => {
                const { handle } = scopes.of(scopeOf(context?.requestContext, context?.agent ?? {}));
                const tool = handle.tools(packs).find((each) => each.name === name)!;
                return (await tool.run(defined(args as object))).text;
              },
            }) as unknown as MastraTool,
          ]),
      );
    },
    workingMemory: (given = {}) => workingMemory(scopes, options, given),
    settled: () => scopes.settled(),
  };
}
