/** The tokens and the text of a chat message. */
import type { ChatMessage, ChatPart } from '../ports/language-model.ts';

function partText(part: ChatPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'toolResult') return part.result;
  return `${part.name}(${JSON.stringify(part.arguments ?? null)})`;
}

export function chatText({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : content.map(partText).join('\n');
}
