/** Lists the conversations of a workspace, of an agent, or of a user. */
import type { Caller } from '../kernel/caller.ts';
import { type ConversationPlace, isOwnConversation, placeOfKey, threadsOf } from '../kernel/threads.ts';
import { archivedAt } from './thread-archive.ts';
import type { ConversationServices } from './verbs.ts';

export interface ConversationSummary {
  readonly agent: string;
  /** The user that it is with; null for the conversations of the agent itself. */
  readonly user: string | null;
  /** Null: the one conversation of the agent, or of the agent with its user. */
  readonly thread: string | null;
  readonly messages: number;
  readonly lastAt: number;
  /** Messages up to this `seq` were replaced by a summary; 0 when none was. */
  readonly compactedUpTo: number;
  /** How many of the newest messages a start replays; 0 for none. */
  readonly history: number;
  /** Whether MEMORY.md is kept. */
  readonly persistent: boolean;
  /** Since when it is archived; null while it is active. */
  readonly archivedAt: number | null;
}

export async function listConversations(
  { storage, conversations, conversationsInFiles }: ConversationServices,
  { viewer }: Caller,
): Promise<readonly ConversationSummary[]> {
  const { agent: own, user, role } = viewer;
  const seesAll = user === undefined && (role === 'admin' || role === 'lead');
  const query = {
    ...(own === undefined || seesAll ? {} : { agent: own }),
    ...(user === undefined ? {} : { prefix: threadsOf(user) }),
  };
  const isTheirs = (place: ConversationPlace): boolean =>
    (seesAll && isOwnConversation(place)) ||
    (place.user === (user ?? null) &&
      place.agent === (own ?? (user === undefined ? undefined : place.agent)));
  const isNobody = !seesAll && own === undefined && user === undefined;
  const found = isNobody ? [] : await storage.log.threads(query);
  const defined = await conversationsInFiles();
  const summaries = found.map(async ({ agent, thread: key, messages, lastAt }) => {
    const place = placeOfKey(agent, key);
    if (place === undefined || !isTheirs(place)) return [];
    const { historyLimit, persistentMemory } = defined.get(agent) ?? conversations.switchesOf(agent);
    const summary: ConversationSummary = {
      ...{ agent, user: place.user, thread: place.thread, messages, lastAt },
      compactedUpTo: await storage.log.boundary(agent, key),
      history: historyLimit,
      persistent: persistentMemory && isOwnConversation(place),
      archivedAt: isOwnConversation(place) ? null : await archivedAt(storage.log, agent, key),
    };
    return [summary];
  });
  return (await Promise.all(summaries)).flat();
}
