/** What was said in a session: in the agent's conversation, or, without an identity, in this process alone. */
import type { Conversation, ConversationMessage, MessageContent } from '../conversation/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdFactory } from '../kernel/ids.ts';

export interface Transcript {
  /** Whom the model speaks as. */
  readonly speaker: string;
  /** Text that precedes the turns: what MEMORY.md holds beyond them. */
  preamble(): Promise<string | null>;
  turns(): Promise<readonly ConversationMessage[]>;
  /** Whether it was said in this session; several may share a conversation at the same time. */
  isOwn(id: string): boolean;
  add(role: string, content: MessageContent): Promise<ConversationMessage>;
}

export function conversationTranscript(conversation: Conversation): Transcript {
  const own = new Set<string>();
  return {
    speaker: conversation.agent,
    preamble: () => conversation.preamble(),
    turns: () => conversation.turns(),
    isOwn: (id) => own.has(id),
    add: async (role, content) => {
      const message = await conversation.add(role, content);
      own.add(message.id);
      return message;
    },
  };
}

/** Gone with the process. */
export function passingTranscript(clock: Clock, ids: IdFactory): Transcript {
  const said: ConversationMessage[] = [];
  return {
    speaker: 'assistant',
    preamble: async () => null,
    turns: async () => [...said],
    isOwn: () => true,
    add: async (role, content) => {
      const message = { id: ids('msg'), role, content, at: clock.now(), run: null, metadata: {} };
      said.push(message);
      return message;
    },
  };
}
