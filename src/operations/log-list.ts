/** Lists the conversations of a workspace. */
import { z } from 'zod';
import { HISTORY_LIMITS, type HistoryLevel } from '../config/index.ts';
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
  run: async (
    { storage, conversations, paths },
    given,
    { viewer },
  ): Promise<readonly ConversationSummary[]> => {
    validate(input, given, 'log.list');
    const seesAll = viewer.role === 'admin' || viewer.role === 'lead';
    const threads = (await storage.log.threads()).filter(
      ({ agent, thread }) => thread === agent && (seesAll || agent === viewer.agent),
    );
    const levels = await levelsInFiles(paths.agentsFolder);
    return Promise.all(
      threads.map(async ({ agent, thread, messages, lastAt }) => {
        const { historyLimit, persistentMemory } = conversations.switchesOf(agent);
        const level = levels.get(agent);
        const compactedUpTo = await storage.log.boundary(agent, thread);
        return {
          agent,
          messages,
          lastAt,
          compactedUpTo,
          history: level === undefined ? historyLimit : HISTORY_LIMITS[level],
          persistent: persistentMemory && level !== 'off',
        };
      }),
    );
  },
});

/** What agents/<name>.md says wins over the configuration when the agent runs. Only servers and pages ask for it. */
async function levelsInFiles(folder: string): Promise<Map<string, HistoryLevel>> {
  const { examineAgents } = await import('./agent-definitions.ts');
  const found = await examineAgents(folder);
  return new Map(
    found.flatMap(({ name, examined: { definition } }) =>
      definition?.history === undefined ? [] : [[name, definition.history]],
    ),
  );
}
