/** Working memory as Mastra knows it: one note per user, shown in every prompt, which the agent replaces with a tool. */
import type { Processor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import type { AgentHandle } from '../../client/index.ts';
import { z } from '../../kernel/zod.ts';
import { checkOptions } from '../common/check-options.ts';
import { Trouble } from '../common/trouble.ts';
import type { TurnOptions } from '../common/turn-memory.ts';
import { lastFrom, type Scopes, scopeOf } from './scope.ts';

const NAMESPACE = ['mastra', 'working-memory'];
const KEY = 'note';
const MOST_CHARACTERS = 20_000;

export interface WorkingMemoryOptions {
  /** What the note looks like before anything is known. */
  readonly template?: string;
}

export interface WorkingMemory {
  /** For `inputProcessors`. */
  readonly processor: Processor & Required<Pick<Processor, 'processInput'>>;
  /** For `tools`. */
  readonly tools: { readonly updateWorkingMemory: ReturnType<typeof createTool> };
}

const TEMPLATE = '# User\n- Name:\n- Preferences:\n- Goals:\n';

export function workingMemory(
  scopes: Scopes,
  options: TurnOptions,
  given: WorkingMemoryOptions,
): WorkingMemory {
  checkOptions('workingMemory', given, { template: true });
  const { template = TEMPLATE } = given;
  const trouble = new Trouble('keepsake/mastra', options);
  const updateWorkingMemory = createTool({
    id: 'updateWorkingMemory',
    description:
      'Replaces the working memory with a new version. Pass the complete text, in the form that it has.',
    inputSchema: z.object({ memory: z.string().min(1).max(MOST_CHARACTERS) }),
    execute: async ({ memory }, context) => {
      const { handle } = scopes.of({
        ...scopeOf(context?.requestContext, context?.agent ?? {}),
        thread: undefined,
      });
      await handle.items.write([{ op: 'put', namespace: NAMESPACE, key: KEY, value: { text: memory } }]);
      return 'The working memory was updated.';
    },
  });
  return {
    tools: { updateWorkingMemory: updateWorkingMemory as unknown as ReturnType<typeof createTool> },
    processor: {
      id: 'keepsake-working-memory',
      async processInput({ messages, systemMessages, requestContext }) {
        const scope = scopeOf(requestContext, lastFrom(messages, 'user') ?? {});
        const note = await trouble.read(() => readNote(scopes.of({ ...scope, thread: undefined }).handle));
        const content = `Working memory, which you keep up to date with the tool updateWorkingMemory:\n\n${note ?? template}`;
        return { messages, systemMessages: [...systemMessages, { role: 'system', content }] };
      },
    },
  };
}

async function readNote(handle: AgentHandle): Promise<string | undefined> {
  const [item] = await handle.items.get(NAMESPACE, [KEY]);
  const { text } = (item?.value ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}
