/** Finds messages by their words, in one conversation or in all threads of an agent and its user. */
import { queryTerms } from '../kernel/analysis.ts';
import { type Caller, speakerOf } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { conversationOf, placeOfKey, threadKey, threadsOf } from '../kernel/threads.ts';
import { validate } from '../kernel/validate.ts';
import type { LogMessage, LogStore, LogTextQuery } from '../ports/log-store.ts';
import { type LogSearchInput, logSearchInput } from './inputs.ts';
import type { ConversationMessage } from './messages/message.ts';
import { fromLog } from './messages/message-draft.ts';

export interface FoundMessage extends ConversationMessage {
  /** The thread that it was said in, when all were searched; null for the one conversation without a name. */
  readonly thread?: string | null;
}

export async function searchMessages(
  log: LogStore,
  input: LogSearchInput,
  caller: Caller,
): Promise<readonly FoundMessage[]> {
  const { query, limit, run, allThreads } = validate(logSearchInput, input, 'log.search');
  const agent = speakerOf(caller);
  const place = conversationOf(caller);
  const find = (where: Pick<LogTextQuery, 'thread' | 'prefix'>): Promise<readonly LogMessage[]> =>
    log.search({ agent, ...where, ...defined({ run }), terms: queryTerms(query), limit });
  if (!allThreads) return (await find({ thread: threadKey(place) })).map(fromLog);
  const named = await find({ prefix: threadsOf(place.user) });
  // With a user, the conversation without a name has the same beginning as those that have one.
  const own = place.user === null ? await find({ thread: agent }) : [];
  return alternately(own, named)
    .slice(0, limit)
    .map((message) => ({
      ...fromLog(message),
      thread: placeOfKey(agent, message.thread)?.thread ?? null,
    }));
}

/** Ranks of two searches cannot be compared, so the best of each come first. */
function alternately<T>(one: readonly T[], other: readonly T[]): T[] {
  const longest = Math.max(one.length, other.length);
  return Array.from({ length: longest }, (_, i) =>
    [one.slice(i, i + 1), other.slice(i, i + 1)].flat(),
  ).flat();
}
