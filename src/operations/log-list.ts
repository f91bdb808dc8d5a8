/** Lists the conversations of a workspace. */
import { z } from 'zod';
import { validate } from '../kernel/validate.ts';
import { defineOperation } from './operation.ts';

const input = z.strictObject({});

export interface ConversationSummary {
  readonly agent: string;
  readonly messages: number;
  readonly lastAt: number;
  /** Messages up to this `seq` were replaced by a summary; 0 when none was. */
  readonly compactedUpTo: number;
  /** How many of the newest messages a start sends again; 0 for none. */
  readonly history: number;
  /** Whether MEMORY.md is kept. */
  readonly persistent: boolean;
}

export const logList = defineOperation({
  name: 'log.list',
  summary: 'Lists the conversations.',
  description:
    'Lists the conversations of all agents, by name: how long each is, when something was last said, and how much of it a start sends again. An agent sees its own only.',
  effect: 'read',
  input,
  run: async ({ storage, conversations }, given, { viewer }): Promise<readonly ConversationSummary[]> => {
    validate(input, given, 'log.list');
    const seesAll = viewer.role === 'admin' || viewer.role === 'lead';
    const threads = (await storage.log.threads()).filter(
      ({ agent, thread }) => thread === agent && (seesAll || agent === viewer.agent),
    );
    return Promise.all(
      threads.map(async ({ agent, thread, messages, lastAt }) => {
        const { historyLimit, persistentMemory } = conversations.switchesOf(agent);
        const compactedUpTo = await storage.log.boundary(agent, thread);
        return {
          agent,
          messages,
          lastAt,
          compactedUpTo,
          history: historyLimit,
          persistent: persistentMemory,
        };
      }),
    );
  },
});
