/** Converts between the messages of a conversation, as they are stored, and those of a chat, as a model takes them. */
import { type ConversationMessage, contentText, type MessageContent } from '../conversation/index.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { ChatMessage, ChatPart } from '../ports/language-model.ts';
import type { ToolCall, ToolResult } from './tool-runner.ts';

type Part = Exclude<MessageContent, string>[number];

function toChatPart(part: Part): ChatPart {
  if (part.type === 'tool-call') {
    const { toolCallId, toolName, input } = part;
    return { type: 'toolCall', id: String(toolCallId), name: String(toolName), arguments: input };
  }
  if (part.type === 'tool-result') {
    const { toolCallId, toolName, output, isError } = part;
    const result = typeof output === 'string' ? output : JSON.stringify(output ?? null);
    return {
      type: 'toolResult',
      id: String(toolCallId),
      name: String(toolName),
      result,
      ...(isError === true ? { isError: true } : {}),
    };
  }
  return { type: 'text', text: contentText([part]) };
}

/** What other agents said is input like any other. */
export function toChatMessage({ role, content }: ConversationMessage, agent: string): ChatMessage {
  const chatRole =
    role === 'System' ? 'system' : role === 'Tool' ? 'tool' : role === agent ? 'assistant' : 'user';
  return { role: chatRole, content: typeof content === 'string' ? content : content.map(toChatPart) };
}

/** What the agent said in one step, with the tools it asked for. */
export function spoken(text: string, calls: readonly ToolCall[]): MessageContent {
  if (calls.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, arguments: input }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: (input ?? null) as JsonValue,
    })),
  ];
}

export function answered(results: readonly ToolResult[]): MessageContent {
  return results.map(({ id, name, result, isError }) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: result,
    ...(isError === true ? { isError: true } : {}),
  }));
}
