/** `more_context`: lets an agent read earlier messages that are not in its prompt. */

import { type Conversation, contentText } from '../../conversation/index.ts';
import { defined } from '../../kernel/defined.ts';
import { z } from '../../kernel/zod.ts';
import { defineTool, type Tool } from '../tool.ts';

export function moreContextTool(conversation: Conversation): Tool {
  return defineTool({
    name: 'more_context',
    readOnly: true,
    description:
      'Shows earlier messages of this conversation that are not in your context: the ones right before it, those before a given message, or those that match some words.',
    input: z.object({
      before: z.string().optional().describe('Id of a message: only messages before it.'),
      limit: z.int().min(1).max(100).default(20).describe('How many messages at most.'),
      query: z.string().optional().describe('Only messages that match these words.'),
      message: z.string().optional().describe('Id of one long message, to read a part of it.'),
      from: z.int().min(0).optional().describe('With message: the position in characters to start from.'),
    }),
    run: async ({ before, limit, query, message, from }) => {
      const { messages, more, next } = await conversation.moreContext({
        limit,
        ...defined({ before, query, message, from }),
      });
      if (messages.length === 0) return 'There are no earlier messages.';
      const lines = messages.map(
        ({ id, role, at, content }) =>
          `[${id}] ${new Date(at).toISOString()} ${role}: ${contentText(content)}`,
      );
      const rest = next === undefined ? [] : [`(continues: from ${next})`];
      return [...lines, ...(more ? ['(there are earlier messages)'] : rest)].join('\n');
    },
  });
}
