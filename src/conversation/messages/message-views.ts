/** Converts messages into one text, a plain list, or the input of a model API. */
import {
  type ConversationMessage,
  contentText,
  type MessageContent,
  type ModelRole,
  modelRole,
} from './message.ts';

export interface PlainMessage {
  readonly id: string;
  readonly role: string;
  readonly content: MessageContent;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface ModelMessage {
  readonly role: ModelRole;
  readonly content: MessageContent;
}

export function asText(messages: readonly ConversationMessage[]): string {
  return messages.map(({ role, content }) => `${role}: ${contentText(content)}`).join('\n\n');
}

export function asPlainList(messages: readonly ConversationMessage[]): readonly PlainMessage[] {
  return messages.map(({ role, content, at, id }) => {
    return { role, content, timestamp: new Date(at).toISOString(), id };
  });
}

export function asModelMessages(
  messages: readonly ConversationMessage[],
  agent: string,
): readonly ModelMessage[] {
  return messages.map(({ role, content }) => ({ role: modelRole(role, agent), content }));
}
