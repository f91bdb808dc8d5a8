/** The pack `state`: the working memory and the messages of the run that an agent is part of. */

import { contentText, type MessageContent } from '../../conversation/index.ts';
import { defined } from '../../kernel/defined.ts';
import { z } from '../../kernel/zod.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { Participation } from './participation.ts';

const NO_RUN =
  'This session is not part of a swarm run, so it has no shared state and no other participants.';

const path = z
  .string()
  .describe('Where in the shared document: a JSON Pointer such as /findings/0, or "" for all of it.');
const value = z.unknown().describe('Any JSON: an object, a list, a text, a number.');

/** Who acts is known from the session; no argument changes that. */
export function runTools(participation: Participation | undefined): Tool[] {
  return [
    defineTool({
      name: 'state_get',
      description:
        'Shows the working memory that all agents of this run share, or one part of it, and its version.',
      input: z.object({ path: path.default('') }),
      run: async ({ path: where }, { session }) => {
        if (participation === undefined) return NO_RUN;
        const { version, value: found } = await participation.state(session).look(where);
        return found === undefined
          ? `Nothing is at ${where} (version ${version}).`
          : { version, value: found };
      },
    }),
    defineTool({
      name: 'state_set',
      description:
        'Sets a value in the working memory of this run and replaces the previous one. To add to a list, use state_append.',
      input: z.object({
        path,
        value,
        if_version: z
          .int()
          .optional()
          .describe('Only if the document still has this version, as returned by state_get.'),
      }),
      run: async ({ path: where, value: given, if_version: ifVersion }, { session }) => {
        if (participation === undefined) return NO_RUN;
        const options = defined({ ifVersion });
        const { version } = await participation.state(session).set(where, given ?? null, options);
        return `Set ${where}; the document is at version ${version}.`;
      },
    }),
    defineTool({
      name: 'state_append',
      description:
        'Adds one entry to the end of a list in the working memory of this run, for example a finding to /findings. The list is created if it does not exist.',
      input: z.object({ path, value }),
      run: async ({ path: where, value: given }, { session }) => {
        if (participation === undefined) return NO_RUN;
        const { length } = await participation.state(session).append(where, given ?? null);
        return `Appended to ${where}, which has ${length} ${length === 1 ? 'entry' : 'entries'} now.`;
      },
    }),
    defineTool({
      name: 'run_messages',
      description: 'Shows what the agents of this run said and did, oldest first.',
      input: z.object({
        after: z.int().optional().describe('Only messages after this number.'),
        agent: z.string().optional().describe('Only messages in the conversation of this agent.'),
        limit: z.int().min(1).max(100).default(20),
      }),
      run: async (query) => {
        if (participation === undefined) return NO_RUN;
        const messages = await participation.messages(query);
        if (messages.length === 0) return 'There are no more messages.';
        return messages
          .map(({ seq, agent, role, content }) => {
            const who = role === agent ? agent : `${agent} ← ${role}`;
            return `[${seq}] ${who}: ${contentText(content as MessageContent)}`;
          })
          .join('\n');
      },
    }),
  ];
}
