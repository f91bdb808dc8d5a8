/** The prompt `recall`: puts what memory knows about a task in front of it. */
import { type McpServer, ProtocolError } from '@modelcontextprotocol/server';
import type { Engine } from '../../client/index.ts';
import { memoryContext, noteContextUsed } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { ERROR_TABLE, toKeepsakeError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';

export function addPrompts(server: McpServer, engine: Engine, caller: Caller): void {
  server.registerPrompt(
    'recall',
    {
      title: 'Recall for a task',
      description: 'Loads what memory knows about a task, and then the task.',
      argsSchema: z.object({ task: z.string().describe('What is to be done, in plain words.') }),
    },
    async ({ task }) => {
      try {
        const context = await memoryContext(engine, { task }, caller);
        await noteContextUsed(engine, context, caller);
        const text = context.text === '' ? task : `${context.text}\n\n${task}`;
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      } catch (thrown) {
        const error = toKeepsakeError(thrown);
        throw new ProtocolError(ERROR_TABLE[error.code].mcp, error.message, error.toJSON());
      }
    },
  );
}
