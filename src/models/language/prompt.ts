/** Converts our messages and tools into the format of the AI SDK. */
import type { JsonObject } from '../../kernel/json.ts';
import type { ChatMessage, ChatPart, ToolSpec } from '../../ports/language-model.ts';
import type { SdkMessage, SdkTextPart, SdkTool, SdkToolCallPart, SdkToolResultPart } from './sdk-model.ts';

const partsOf = ({ content }: ChatMessage): readonly ChatPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Providers refuse a text that is empty, and Anthropic one of blanks alone, so it is left out. */
const textPart = (text: string): SdkTextPart[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function textParts(message: ChatMessage): SdkTextPart[] {
  return partsOf(message).flatMap((part) => (part.type === 'text' ? textPart(part.text) : []));
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
    if (part.type === 'text') return textPart(part.text);
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

/** The text parts that follow each other as one: some servers take a plain text only. */
function joined<Part extends { readonly type: string }>(parts: readonly (Part | SdkTextPart)[]) {
  const found: (Part | SdkTextPart)[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last?.type === 'text' && part.type === 'text') {
      found[found.length - 1] = {
        type: 'text',
        text: `${(last as SdkTextPart).text}\n\n${(part as SdkTextPart).text}`,
      };
    } else {
      found.push(part);
    }
  }
  return found;
}

/**
 * Turns of user and assistant that take turns: rules and the task after them, or a prompt that never got an answer and
 * the next one, are one turn. Chat templates of open models and several providers refuse two turns of one role in a row.
 */
function alternating(turns: readonly SdkMessage[]): SdkMessage[] {
  const found: SdkMessage[] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if (turn.role === 'user' && last?.role === 'user') {
      found[found.length - 1] = { role: 'user', content: joined([...last.content, ...turn.content]) };
    } else if (turn.role === 'assistant' && last?.role === 'assistant') {
      found[found.length - 1] = { role: 'assistant', content: joined([...last.content, ...turn.content]) };
    } else {
      found.push(turn);
    }
  }
  return found;
}

/**
 * OpenAI reads system messages wherever they stand, and any order of turns. The others know one system message only,
 * before everything else, so all of them are put together there, in their order.
 */
export function toSdkPrompt(messages: readonly ChatMessage[], systemAnywhere: boolean): SdkMessage[] {
  const turns = messages.map(turnFrom).filter(({ content }) => content.length > 0);
  if (systemAnywhere) return turns;
  const system = turns.flatMap((turn) => (turn.role === 'system' ? [turn.content] : []));
  const others = alternating(turns.filter(({ role }) => role !== 'system'));
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
