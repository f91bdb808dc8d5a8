/** "More context": earlier messages of a thread, a page at a time or by what they say. */

import { queryTerms } from '../../kernel/analysis.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { LogStore } from '../../ports/log-store.ts';
import type { ConversationMessage } from '../messages/message.ts';
import { fromLog } from '../messages/message-draft.ts';
import { rawText } from '../window/shorten-results.ts';
import { seqOf } from './thread-log.ts';

export interface MoreContextInput {
  /** Id of a message: only messages before it. Default: whatever the history does not hold. */
  readonly before?: string;
  /** How many messages at most. Default 20. */
  readonly limit?: number;
  /** Only messages that match these words: the best ones, shown in order. */
  readonly query?: string;
  /** Id of a message: a piece of this one alone, as its content is, for messages too long to be shown whole. */
  readonly message?: string;
  /** Where that piece begins, in characters. Default 0. */
  readonly from?: number;
}

export interface MoreContext {
  /** Oldest first. */
  readonly messages: readonly ConversationMessage[];
  /** Whether there is still more before the first one. */
  readonly more: boolean;
  /** Of a piece of one message: where the next piece begins; absent after the last. */
  readonly next?: number;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 500;
/** About a thousand tokens, which even small models can take at once. */
const PIECE = 4_000;

export async function moreContext(
  log: LogStore,
  place: {
    readonly agent: string;
    readonly thread: string;
    /** What the agent sees already. A compaction may leave gaps in it, so it is more than a place to begin at. */
    readonly inView: readonly ConversationMessage[];
  },
  { before, limit = DEFAULT_LIMIT, query, message, from = 0 }: MoreContextInput,
): Promise<MoreContext> {
  if (message !== undefined) return pieceOf(await messageWith(log, place, message), from);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new KeepsakeError('INVALID_INPUT', `limit must be a whole number from 1 to ${MAX_LIMIT}.`, {
      hint: `Leave it out for ${DEFAULT_LIMIT}.`,
    });
  }
  const { agent, thread, inView } = place;
  const where = { agent, thread, ...(await until(log, place, before)) };
  const seen = new Set(before === undefined ? inView.map(({ id }) => id) : []);
  // As many more as may be in view already, and one to see whether there are more.
  const most = limit + seen.size + 1;
  const found =
    query === undefined
      ? (await log.read({ ...where, newest: true, limit: most })).toReversed()
      : await log.search({ ...where, terms: queryTerms(query), limit: most });
  const fresh = found.filter(({ id }) => !seen.has(id));
  const messages = fresh.slice(0, limit).toSorted((a, b) => a.seq - b.seq);
  return { messages: messages.map(fromLog), more: fresh.length > limit };
}

async function messageWith(
  log: LogStore,
  { agent, thread, inView }: Parameters<typeof moreContext>[1],
  id: string,
): Promise<ConversationMessage> {
  const seen = inView.find((message) => message.id === id);
  const logged = seen === undefined ? await log.get(id) : null;
  const isOurs = logged?.agent === agent && logged.thread === thread && logged.deletedAt === null;
  const found = seen ?? (isOurs ? fromLog(logged) : undefined);
  if (found !== undefined) return found;
  throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log of ${agent}.`, {
    hint: 'moreContext() shows the ids.',
  });
}

function pieceOf(message: ConversationMessage, from: number): MoreContext {
  if (!Number.isInteger(from) || from < 0) {
    throw new KeepsakeError('INVALID_INPUT', 'from must be a whole number, zero or more.', {
      hint: 'It counts characters of the message.',
    });
  }
  const text = rawText(message.content);
  const next = from + PIECE;
  const messages = [{ ...message, content: text.slice(from, next).toWellFormed() }];
  return { messages, more: false, ...(next < text.length ? { next } : {}) };
}

/** Not what others said after the newest message in view: the agent will see that when its turn comes. */
async function until(
  log: LogStore,
  place: Parameters<typeof moreContext>[1],
  before: string | undefined,
): Promise<{ readonly before?: number }> {
  if (before !== undefined) return { before: await seqOf(log, place, before) };
  const newest = place.inView.reduce((most, { seq }) => Math.max(most, seq ?? 0), 0);
  return newest === 0 ? {} : { before: newest + 1 };
}
