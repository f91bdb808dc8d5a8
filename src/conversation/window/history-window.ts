/** Which of the past messages are sent again: the last N, beginning with a user's turn, no tool result without its call. */
import { type ConversationMessage, modelRole, toolCallIds, toolResultIds } from '../messages/message.ts';

/** To an agent, what another agent says is a user's turn too. */
export function isUserTurn(message: ConversationMessage, agent: string): boolean {
  return modelRole(message.role, agent) === 'user';
}

/** The prompt that still waits for its answer: the newest user's turn, unless the agent said something final since. */
export function openPrompt(
  messages: readonly ConversationMessage[],
  agent: string,
): ConversationMessage | undefined {
  const place = messages.findLastIndex((message) => isUserTurn(message, agent));
  const isAnswered = messages
    .slice(place + 1)
    .some(({ role, content }) => modelRole(role, agent) === 'assistant' && toolCallIds(content).length === 0);
  return isAnswered ? undefined : messages[place];
}

/** Tool results whose call is not among the messages before them; a model's API refuses those. */
function withoutOrphans(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const called = new Set<string>();
  return messages.filter((message) => {
    const answered = toolResultIds(message.content);
    const orphaned = answered.length > 0 && !answered.every((id) => called.has(id));
    if (orphaned) return false;
    for (const id of toolCallIds(message.content)) called.add(id);
    return true;
  });
}

/**
 * At most `limit` of the newest messages, oldest first. Where the last N begin in the middle of a turn, they are cut
 * forward to the next user's message; where the turn is longer than N, its user's message leads and the middle is left out.
 */
export function historyWindow(
  messages: readonly ConversationMessage[],
  limit: number,
  agent: string,
): ConversationMessage[] {
  if (limit <= 0) return [];
  const last = messages.slice(-limit);
  const begin = last.findIndex((message) => isUserTurn(message, agent));
  if (begin >= 0) return withoutOrphans(last.slice(begin));
  const leader = messages.findLast((message) => isUserTurn(message, agent));
  if (leader === undefined) return withoutOrphans(last);
  return [leader, ...withoutOrphans(limit === 1 ? [] : messages.slice(-(limit - 1)))];
}

/**
 * What of a window can be sent again by a process that did not see it happen: a call that was never answered, because
 * its process ended, is left out with what belongs to it, for a model's API refuses those as well.
 */
export function replayable(window: readonly ConversationMessage[]): ConversationMessage[] {
  const answered = new Set<string>();
  const closed = window
    .toReversed()
    .filter((message) => {
      for (const id of toolResultIds(message.content)) answered.add(id);
      return toolCallIds(message.content).every((id) => answered.has(id));
    })
    .reverse();
  return withoutOrphans(closed);
}
