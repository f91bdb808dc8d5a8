/** Which conversation is meant: an agent has one of its own, one with each of its users, and any number of named threads. */
import type { Caller } from './caller.ts';
import { checkAgentName } from './names.ts';

export interface ConversationPlace {
  readonly agent: string;
  readonly user: string | null;
  /** Null: the one conversation of the agent, or of the agent with its user. */
  readonly thread: string | null;
}

/** No name of an agent begins with this; the agent's own conversation is stored under its name. */
const MARK = '@';

/** The name of a conversation in the log. The length of the user's id keeps ("ab", "c") apart from ("a", "bc"). */
export function threadKey({ agent, user, thread }: ConversationPlace): string {
  if (user === null && thread === null) return agent;
  return `${threadsOf(user)}${thread ?? ''}`;
}

/** What the names of all conversations with a user begin with, those of no other. */
export function threadsOf(user: string | null): string {
  return `${MARK}${user?.length ?? 0}:${user ?? ''}`;
}

/** The place that a name in the log represents; undefined for a thread that is not a conversation of an agent. */
export function placeOfKey(agent: string, key: string): ConversationPlace | undefined {
  if (key === agent) return { agent, user: null, thread: null };
  const [, digits = ''] = /^@(\d+):/.exec(key) ?? [];
  if (digits === '') return undefined;
  const start = MARK.length + digits.length + 1;
  const end = start + Number(digits);
  return { agent, user: key.slice(start, end) || null, thread: key.slice(end) || null };
}

/** The conversation that a call is about. */
export function conversationOf(
  { viewer, thread }: Pick<Caller, 'viewer' | 'thread'>,
  agent = checkAgentName(viewer.agent),
): ConversationPlace {
  return { agent, user: viewer.user ?? null, thread: thread ?? null };
}

/** The agent's one conversation, which MEMORY.md shows; all others are kept in the log only. */
export const isOwnConversation = ({ user, thread }: ConversationPlace): boolean =>
  user === null && thread === null;

/** What the entries of archived threads in the journal begin with; the name of the agent and the thread follow. */
export const ARCHIVED_THREAD = 'archived thread ';
/** What the entries of imported threads begin with that a model has reviewed. */
export const LEARNED_THREAD = 'learned thread ';
export const learnedKey = (agent: string, key: string): string => `${LEARNED_THREAD}${agent} ${key}`;
export const archiveKey = (agent: string, key: string): string => `${ARCHIVED_THREAD}${agent} ${key}`;
