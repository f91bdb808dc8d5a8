/** Our messages and tools in the form that the AI SDK hands to a provider. */
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ChatPart, ToolSpec } from '../../ports/language-model.ts';
import type { SdkMessage, SdkTextPart, SdkTool, SdkToolCallPart, SdkToolResultPart } from './sdk-model.ts';

const partsOf = ({ content }: ChatMessage): readonly ChatPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Providers refuse a text that is empty, so it is left out. */
function textParts(message: ChatMessage): SdkTextPart[] {
  return partsOf(message).flatMap((part) =>
    part.type === 'text' && part.text !== '' ? [{ type: 'text', text: part.text }] : [],
  );
}

const textOf = (message: ChatMessage): string =>
  textParts(message)
    .map(({ text }) => text)
    .join('\n');

/** Anthropic takes letters, digits, "_" and "-" only, and a conversation may have begun with another provider. */
const safeId = (id: string): string => id.replace(/[^\w-]/g, '_');

/** Arguments that a model got wrong are a text, and every provider wants an object back. */
function objectFrom(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : { unparsed: String(value) };
}

function assistantParts(message: ChatMessage): (SdkTextPart | SdkToolCallPart)[] {
  return partsOf(message).flatMap((part): (SdkTextPart | SdkToolCallPart)[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'toolResult') return [];
    const { id, name } = part;
    return [{ type: 'tool-call', toolCallId: safeId(id), toolName: name, input: objectFrom(part.arguments) }];
  });
}

function resultParts(message: ChatMessage): SdkToolResultPart[] {
  return partsOf(message).flatMap((part): SdkToolResultPart[] => {
    if (part.type !== 'toolResult') return [];
    const { id, name, result, isError = false } = part;
    const output = { type: isError ? ('error-text' as const) : ('text' as const), value: result };
    return [{ type: 'tool-result', toolCallId: safeId(id), toolName: name, output }];
  });
}

function turnFrom(message: ChatMessage): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: textOf(message) };
    case 'user':
      return { role: 'user', content: textParts(message) };
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message) };
    case 'tool':
      return { role: 'tool', content: resultParts(message) };
  }
}

/**
 * OpenAI reads system messages wherever they stand. The others know one only, before everything else, so all of them
 * are put together there, in their order.
 */
export function toSdkPrompt(messages: readonly ChatMessage[], systemAnywhere: boolean): SdkMessage[] {
  const turns = messages.map(turnFrom).filter(({ content }) => content.length > 0);
  if (systemAnywhere) return turns;
  const system = turns.flatMap((turn) => (turn.role === 'system' ? [turn.content] : []));
  const others = turns.filter(({ role }) => role !== 'system');
  return system.length === 0 ? others : [{ role: 'system', content: system.join('\n\n') }, ...others];
}

export function toSdkTools(tools: readonly ToolSpec[]): SdkTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }));
}
