/** Groups messages for storing: a conversation is opened for one run at a time. */
import type { ConversationMessage } from './message.ts';

/** Neighbours of one run together; the runs themselves stay in their order. */
export function byRun(messages: readonly ConversationMessage[]): ConversationMessage[][] {
  const groups: ConversationMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.run === message.run) last.push(message);
    else groups.push([message]);
  }
  return groups;
}
