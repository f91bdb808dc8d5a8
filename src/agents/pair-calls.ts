/** Places every tool result directly after its call, as model APIs require, and omits calls without a result. */
import type { ChatMessage, ChatPart } from '../ports/language-model.ts';

const partsOf = ({ content }: ChatMessage): readonly ChatPart[] =>
  typeof content === 'string' ? [] : content;

const callIds = (message: ChatMessage): string[] =>
  partsOf(message).flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));

const resultIds = (message: ChatMessage): string[] =>
  partsOf(message).flatMap((part) => (part.type === 'toolResult' ? [part.id] : []));

/** What is left of a message whose calls were never answered. */
function withoutCalls(message: ChatMessage): ChatMessage[] {
  const content = partsOf(message).filter(({ type }) => type !== 'toolCall');
  return content.length === 0 ? [] : [{ ...message, content }];
}

/**
 * Two sessions of one agent write into one conversation, and a process may end between a call and its answer. Some
 * providers use the same ids again and again, so an answer belongs to the nearest call before it.
 */
export function pairCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const answers = new Map<ChatMessage, ChatMessage>();
  const open: { readonly call: ChatMessage; readonly ids: readonly string[] }[] = [];
  for (const message of messages) {
    const results = resultIds(message);
    if (results.length > 0) {
      const asked = open.findLastIndex(({ ids }) => ids.every((id) => results.includes(id)));
      const [found] = asked === -1 ? [] : open.splice(asked, 1);
      if (found !== undefined) answers.set(found.call, message);
    }
    const ids = callIds(message);
    if (ids.length > 0) open.push({ call: message, ids });
  }
  return messages.flatMap((message) => {
    if (resultIds(message).length > 0) return [];
    if (callIds(message).length === 0) return [message];
    const answer = answers.get(message);
    return answer === undefined ? withoutCalls(message) : [message, answer];
  });
}
