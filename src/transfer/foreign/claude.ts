/** The export of claude.ai: conversations.json, a list of conversations with their messages in order. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  type Foreign,
  type ForeignConversation,
  type ForeignMessage,
  isObject,
  NOTHING,
  notThat,
  textOf,
  timeOf,
} from './foreign.ts';

export function isClaude(value: JsonValue): boolean {
  return Array.isArray(value) && isObject(value[0]) && Array.isArray(value[0].chat_messages);
}

/** Newer exports have the text in parts and repeat it as `text`; what was attached is told by its name. */
function textIn(message: JsonObject): string {
  const parts = Array.isArray(message.content) ? message.content : [];
  const said = parts.flatMap((part) =>
    isObject(part) && part.type === 'text' ? (textOf(part.text) ?? []) : [],
  );
  const attached = Array.isArray(message.attachments) ? message.attachments : [];
  const notes = attached.flatMap((each) => {
    const name = isObject(each) ? textOf(each.file_name) : undefined;
    const body = isObject(each) ? textOf(each.extracted_content) : undefined;
    return name === undefined && body === undefined ? [] : `[${name ?? 'attachment'}]\n${body ?? ''}`.trim();
  });
  const text = said.length > 0 ? said.join('\n\n') : (textOf(message.text) ?? '');
  return [text, ...notes].filter((each) => each !== '').join('\n\n');
}

function messagesOf(conversation: JsonObject, id: string): (ForeignMessage | undefined)[] {
  const began = timeOf(conversation.created_at) ?? 0;
  return (conversation.chat_messages as JsonValue[]).map((message, index): ForeignMessage | undefined => {
    if (!isObject(message)) return undefined;
    const text = textIn(message);
    if (text === '') return undefined;
    return {
      id: textOf(message.uuid) ?? `${id}#${index}`,
      role: message.sender === 'human' || message.sender === 'user' ? 'User' : 'assistant',
      text,
      at: timeOf(message.created_at) ?? began,
    };
  });
}

export function readClaude(value: JsonValue): Foreign {
  if (!Array.isArray(value)) throw notThat('claude', 'conversations.json is a list.');
  let skipped = 0;
  const conversations = value.flatMap((entry, index): ForeignConversation[] => {
    if (!isObject(entry) || !Array.isArray(entry.chat_messages)) {
      throw notThat('claude', `entry ${index + 1} has no "chat_messages".`);
    }
    const id = textOf(entry.uuid) ?? `claude-${index + 1}`;
    const all = messagesOf(entry, id);
    const messages = all.filter((message) => message !== undefined);
    skipped += all.length - messages.length;
    return messages.length === 0 ? [] : [{ id, title: textOf(entry.name) ?? '', messages }];
  });
  return { ...NOTHING, format: 'claude', conversations, skipped };
}
