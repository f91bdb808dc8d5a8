/** "More context": earlier messages of a thread, a page at a time or by what they say. */

import { queryTerms } from '../../kernel/analysis.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LogStore } from '../../ports/log-store.ts';
import type { ConversationMessage } from '../messages/message.ts';
import { fromLog } from '../messages/message-draft.ts';
import { seqOf } from './thread-log.ts';

export interface MoreContextInput {
  /** Id of a message: only what was said before it. Default: before the oldest message in the history. */
  readonly before?: string;
  /** How many messages at most. Default 20. */
  readonly limit?: number;
  /** Only messages that match these words: the best ones, shown in order. */
  readonly query?: string;
}

export interface MoreContext {
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[];
  /** Whether there is still more before the first one. */
  readonly more: boolean;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 500;

export async function moreContext(
  log: LogStore,
  place: { readonly agent: string; readonly thread: string; readonly first: number | undefined },
  { before, limit = DEFAULT_LIMIT, query }: MoreContextInput,
): Promise<MoreContext> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new KeepsakeError('INVALID_INPUT', `limit must be a whole number from 1 to ${MAX_LIMIT}.`, {
      hint: `Leave it out for ${DEFAULT_LIMIT}.`,
    });
  }
  const { agent, thread } = place;
  const seq = before === undefined ? place.first : await seqOf(log, place, before);
  const until = defined({ before: seq });
  if (query !== undefined) {
    const found = await log.search({ agent, thread, terms: queryTerms(query), limit: limit + 1, ...until });
    const messages = found.slice(0, limit).toSorted((a, b) => a.seq - b.seq);
    return { messages: messages.map(fromLog), more: found.length > limit };
  }
  const found = await log.read({ agent, thread, newest: true, limit: limit + 1, ...until });
  return { messages: found.slice(-limit).map(fromLog), more: found.length > limit };
}
