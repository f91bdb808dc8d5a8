/** Lists the conversations of a workspace. */
import type { Caller } from '../kernel/caller.ts';
import type { ConversationServices } from './verbs.ts';

export interface ConversationSummary {
  readonly agent: string;
  readonly messages: number;
  readonly lastAt: number;
  /** Messages up to this `seq` were replaced by a summary; 0 when none was. */
  readonly compactedUpTo: number;
  /** How many of the newest messages a start replays; 0 for none. */
  readonly history: number;
  /** Whether MEMORY.md is kept. */
  readonly persistent: boolean;
}

export async function listConversations(
  { storage, conversations, conversationsInFiles }: ConversationServices,
  { viewer }: Caller,
): Promise<readonly ConversationSummary[]> {
  const seesAll = viewer.role === 'admin' || viewer.role === 'lead';
  const threads = (await storage.log.threads()).filter(
    ({ agent, thread }) => thread === agent && (seesAll || agent === viewer.agent),
  );
  const defined = await conversationsInFiles();
  return Promise.all(
    threads.map(async ({ agent, thread, messages, lastAt }) => {
      const { historyLimit, persistentMemory } = defined.get(agent) ?? conversations.switchesOf(agent);
      return {
        ...{ agent, messages, lastAt },
        compactedUpTo: await storage.log.boundary(agent, thread),
        history: historyLimit,
        persistent: persistentMemory,
      };
    }),
  );
}
