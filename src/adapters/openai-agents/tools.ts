/** Memory tools for agents of the OpenAI Agents SDK: the model remembers, recalls and forgets by itself. */
import { type FunctionTool, tool } from '@openai/agents-core';
import { z } from 'zod';
import { memoryOf } from '../common/memory-of.ts';
import type { WhichStore, WhoseMemory } from '../common/options.ts';

const MOST_FOUND = 20;

/** For `new Agent({ tools: memoryTools({ user }) })`. */
export function memoryTools(whose: Omit<WhoseMemory, 'thread'> & WhichStore = {}): FunctionTool[] {
  const { memory } = memoryOf(whose);
  const tools = [
    tool({
      name: 'remember',
      description: 'Remembers one fact about the user or the task for later conversations.',
      parameters: z.object({ content: z.string().describe('The fact, as one full sentence.') }),
      execute: async ({ content }) => {
        const { id, outcome } = await memory.add({ content, origin: 'agent' });
        return outcome === 'added' ? `Remembered as ${id}.` : `Known already as ${id}.`;
      },
    }),
    tool({
      name: 'recall',
      description: 'Finds what is remembered about a question, best first, each with its id.',
      parameters: z.object({ query: z.string().describe('What to look for, in plain words.') }),
      execute: async ({ query }) => {
        const hits = await memory.search(query, { limit: MOST_FOUND });
        const lines = hits.map(({ id, content }) => `${id}: ${content}`);
        return lines.length === 0 ? 'Nothing is remembered about this.' : lines.join('\n');
      },
    }),
    tool({
      name: 'forget',
      description: 'Forgets one memory for good, for example because the user asked for it.',
      parameters: z.object({ id: z.string().describe('The id of the memory, as recall shows it.') }),
      execute: async ({ id }) => {
        await memory.forget(id);
        return `Forgot ${id}.`;
      },
    }),
  ];
  return tools as unknown as FunctionTool[];
}
