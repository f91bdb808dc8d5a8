/** The pack `facts`: an agent remembers, recalls and forgets. */

import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { SUGGESTED_CATEGORIES } from '../../kernel/record.ts';
import type { RecordService } from '../../records/index.ts';
import { defineTool, type Tool } from '../tool.ts';

export const NO_IDENTITY =
  'This session has no agent identity, so nothing is remembered, recalled or forgotten here. Run a named agent to use memory.';

function line(record: MemoryRecord): string {
  return `[${record.id}] (${record.category}) ${record.content}`;
}

/** The whole id of a memory that the model named by the short one in its prompt. */
export type FullId = (named: string) => string;

/** `caller` is undefined in a raw session: the tools are there and say so. */
export function factTools(
  records: RecordService,
  caller: Caller | undefined,
  fullId: FullId = (named) => named,
): Tool[] {
  return [
    defineTool({
      name: 'remember',
      description:
        'Stores a durable memory: a fact, preference, instruction, relationship or observation that will matter in later sessions. One thing per memory, in a full sentence. Not for what only matters now.',
      input: z.object({
        content: z.string().describe('What to remember, as a full sentence.'),
        category: z
          .string()
          .default('fact')
          .describe(`${SUGGESTED_CATEGORIES.join(', ')}, or any other word.`),
        confidence: z.number().min(0).max(1).optional().describe('How sure you are, 0 to 1.'),
        replaces: z.string().optional().describe('Id of a memory that is no longer true.'),
      }),
      run: async ({ content, category, confidence, replaces }) => {
        if (caller === undefined) return NO_IDENTITY;
        const { id, outcome } = await records.add(
          {
            content,
            category,
            origin: 'agent',
            ...defined({ confidence }),
            ...(replaces === undefined ? {} : { supersedes: fullId(replaces) }),
          },
          caller,
        );
        return outcome === 'added' ? `Remembered as ${id}.` : `Already known as ${id}.`;
      },
    }),
    defineTool({
      name: 'recall',
      readOnly: true,
      description: 'Searches your memories for a question or a task, in plain words.',
      input: z.object({
        query: z.string().describe('What to look for, in plain words.'),
        limit: z.int().min(1).max(50).default(8).describe('How many at most.'),
        category: z.string().optional().describe('Only this category.'),
      }),
      run: async ({ query, limit, category }) => {
        if (caller === undefined) return NO_IDENTITY;
        const hits = await records.search({ query, limit, ...defined({ category }) }, caller);
        return hits.length === 0 ? 'Nothing is known about that.' : hits.map(line).join('\n');
      },
    }),
    defineTool({
      name: 'forget',
      description: 'Erases a memory that is wrong or outdated. Cannot be undone.',
      input: z.object({ id: z.string().describe('Id of the memory, as recall or your prompt shows it.') }),
      run: async ({ id }) => {
        if (caller === undefined) return NO_IDENTITY;
        await records.forget({ id: fullId(id) }, caller);
        return `Forgot ${id}.`;
      },
    }),
  ];
}
