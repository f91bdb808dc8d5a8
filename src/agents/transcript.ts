/** The messages of a session: in the agent's conversation, or in memory if the agent has no identity. */
import type { Conversation, ConversationMessage, MessageContent } from '../conversation/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { IdFactory } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';

export interface Transcript {
  /** Whom the model speaks as. */
  readonly speaker: string;
  /** Text that precedes the turns: the rest of MEMORY.md. */
  preamble(): Promise<string | null>;
  turns(): Promise<readonly ConversationMessage[]>;
  /** What was said in this session; several may share a conversation, also at the same time. */
  readonly said: readonly ConversationMessage[];
  add(role: string, content: MessageContent, metadata?: JsonObject): Promise<ConversationMessage>;
  /** Adds a prompt after what other processes said, and keeps what was said before it within the history level. */
  begin(prompt: string): Promise<ConversationMessage>;
  /** The prompt with this id was answered, or never will be. */
  done(id: string): void;
}

export function conversationTranscript(conversation: Conversation): Transcript {
  const said: ConversationMessage[] = [];
  const add: Transcript['add'] = async (role, content, metadata) => {
    const message = await conversation.add(role, content, defined({ metadata }));
    said.push(message);
    return message;
  };
  return {
    said,
    speaker: conversation.agent,
    preamble: () => conversation.preamble(),
    turns: () => conversation.turns(),
    add,
    begin: async (prompt) => {
      await conversation.catchUp();
      await conversation.fit();
      const message = await add('User', prompt);
      conversation.openPrompts.add(message.id);
      return message;
    },
    done: (id) => void conversation.openPrompts.delete(id),
  };
}

/** Kept in memory only. */
export function passingTranscript(clock: Clock, ids: IdFactory): Transcript {
  const said: ConversationMessage[] = [];
  const add: Transcript['add'] = async (role, content, metadata = {}) => {
    const message = { id: ids('msg'), role, content, at: clock.now(), run: null, metadata };
    said.push(message);
    return message;
  };
  return {
    said,
    speaker: 'assistant',
    preamble: async () => null,
    turns: async () => [...said],
    add,
    begin: (prompt) => add('User', prompt),
    done: () => {},
  };
}
