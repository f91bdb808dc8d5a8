/** What was said in a session: in the agent's conversation, or, without an identity, in this process alone. */
import type { Conversation, ConversationMessage, MessageContent } from '../conversation/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdFactory } from '../kernel/ids.ts';

export interface Transcript {
  /** Whom the model speaks as. */
  readonly speaker: string;
  /** Text that precedes the turns: the rest of MEMORY.md. */
  preamble(): Promise<string | null>;
  turns(): Promise<readonly ConversationMessage[]>;
  /** What was said in this session; several may share a conversation, also at the same time. */
  readonly said: readonly ConversationMessage[];
  add(role: string, content: MessageContent): Promise<ConversationMessage>;
}

export function conversationTranscript(conversation: Conversation): Transcript {
  const said: ConversationMessage[] = [];
  return {
    said,
    speaker: conversation.agent,
    preamble: () => conversation.preamble(),
    turns: () => conversation.turns(),
    add: async (role, content) => {
      const message = await conversation.add(role, content);
      said.push(message);
      return message;
    },
  };
}

/** Kept in memory only. */
export function passingTranscript(clock: Clock, ids: IdFactory): Transcript {
  const said: ConversationMessage[] = [];
  return {
    said,
    speaker: 'assistant',
    preamble: async () => null,
    turns: async () => [...said],
    add: async (role, content) => {
      const message = { id: ids('msg'), role, content, at: clock.now(), run: null, metadata: {} };
      said.push(message);
      return message;
    },
  };
}
