/** Reads the content of a message of another system: text stays text, parts stay verbatim, tool calls become parts. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { type ContentPart, type MessageContent, modelRole } from '../messages/message.ts';
import { copyJson, isObject } from './plain.ts';
import { invalid } from './problem.ts';

/** Takes the keys that it understood away from `rest`. */
export function readForeignContent(role: string, rest: JsonObject, path: string): MessageContent {
  const key = 'content' in rest ? 'content' : 'parts';
  const value = rest[key];
  const calls = Array.isArray(rest.tool_calls) ? rest.tool_calls : [];
  if (value === undefined && calls.length === 0) throw invalid(path, 'has neither "content" nor "parts"');
  delete rest[key];

  const answers = rest.tool_call_id;
  if (modelRole(role, '') === 'tool' && typeof answers === 'string') {
    const toolName = typeof rest.name === 'string' ? rest.name : '';
    delete rest.tool_call_id;
    delete rest.name;
    return [{ type: 'tool-result', toolCallId: answers, toolName, output: value ?? null }];
  }
  if (calls.length > 0) {
    delete rest.tool_calls;
    const said = value === '' || value === null || value === undefined ? [] : partsOf(value);
    return [...said, ...calls.map(callOf)];
  }
  if (typeof value === 'object' && value !== null) return partsOf(value);
  return value === null || value === undefined ? '' : String(value);
}

function partsOf(value: JsonValue): ContentPart[] {
  return Array.isArray(value) ? value.map(partOf) : [partOf(value)];
}

function partOf(value: JsonValue): ContentPart {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isObject(value)) return { type: 'data', data: value };
  if (typeof value.type === 'string') return value as ContentPart;
  if (typeof value.text === 'string' && !('type' in value)) return { type: 'text', ...value };
  return { type: 'data', data: value };
}

/** OpenAI writes calls beside the content, with their arguments as JSON in a string. */
function callOf(value: JsonValue): ContentPart {
  const call = isObject(value) && isObject(value.function) ? value.function : undefined;
  const id = isObject(value) ? value.id : undefined;
  if (typeof id !== 'string' || typeof call?.name !== 'string') return { type: 'data', data: value };
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: call.name,
    input: argumentsOf(call.arguments ?? null),
  };
}

/** Arguments that are not a safe JSON object stay a string. */
function argumentsOf(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    const parsed = copyJson(JSON.parse(value), 'arguments');
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
