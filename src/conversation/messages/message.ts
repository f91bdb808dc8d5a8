/** A message of a conversation: who said what and when, and how its content reads to a person. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

/**
 * One structured part, kept verbatim: `text`, `tool-call` {toolCallId, toolName, input}, `tool-result` {toolCallId,
 * toolName, output}, `image` …; the parts of other vendors are parts too.
 */
export type ContentPart = JsonObject & { type: string };
export type MessageContent = string | ContentPart[];

export interface ConversationMessage {
  readonly id: string;
  /** "User", "System", "Tool" or the agent's name. */
  readonly role: string;
  readonly content: MessageContent;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly run: string | null;
  readonly metadata: JsonObject;
  /** Position in the Log; absent for what is not logged. */
  readonly seq?: number;
}

/** The one message that a compaction puts in the place of older ones. */
export function isSummary({ metadata }: ConversationMessage): boolean {
  return metadata.summary === true;
}

export type ModelRole = 'user' | 'assistant' | 'system' | 'tool';

/** Words that name a role in any of the formats we read, whatever the agent is called. */
const MODEL_ROLES: Readonly<Record<string, ModelRole>> = {
  user: 'user',
  human: 'user',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
  assistant: 'assistant',
  model: 'assistant',
};

/** To this agent, what other agents say is input like any other. */
export function modelRole(role: string, agentName: string): ModelRole {
  const word = role.toLowerCase();
  if (Object.hasOwn(MODEL_ROLES, word)) return MODEL_ROLES[word]!;
  return role === agentName ? 'assistant' : 'user';
}

/** Where the vendors put the id that pairs a call with its result. */
const CALL_ID: Readonly<Record<string, string>> = { 'tool-call': 'toolCallId', tool_use: 'id' };
const RESULT_ID: Readonly<Record<string, string>> = {
  'tool-result': 'toolCallId',
  tool_result: 'tool_use_id',
};

function idsOf(content: MessageContent, fields: Readonly<Record<string, string>>): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part) => {
    const id = Object.hasOwn(fields, part.type) ? part[fields[part.type]!] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

export function toolCallIds(content: MessageContent): string[] {
  return idsOf(content, CALL_ID);
}

export function toolResultIds(content: MessageContent): string[] {
  return idsOf(content, RESULT_ID);
}

/** What a person reads: the texts, and every other part as a fenced block of JSON. */
export function contentText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content
    .map(partText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function partText(part: ContentPart): string {
  if (part.type === 'text' && typeof part.text === 'string') return part.text;
  // No line of indented JSON begins with a backtick, so three of them always close the fence.
  return `\`\`\`json\n${JSON.stringify(readable(part), null, 2)}\n\`\`\``;
}

/** Keys in one order, whatever order a store gave them back in, and media by its size instead of its bytes. */
function readable(value: JsonValue, isMedia = false): JsonValue {
  if (typeof value === 'string') return isMedia ? withoutBytes(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => readable(entry, isMedia));
  const media = isMedia || holdsMedia(value);
  const keys = Object.keys(value).sort(
    (a, b) => Number(b === 'type') - Number(a === 'type') || (a < b ? -1 : 1),
  );
  return Object.fromEntries(keys.map((key) => [key, readable(value[key]!, media)]));
}

const MEDIA_KEYS = ['mediaType', 'media_type', 'mimeType', 'mime_type'];
const MEDIA_TYPES = new Set(['image', 'image_url', 'input_image', 'file', 'media', 'audio', 'input_audio']);

function holdsMedia(value: JsonObject): boolean {
  return MEDIA_KEYS.some((key) => Object.hasOwn(value, key)) || MEDIA_TYPES.has(String(value.type));
}

/** Shorter than this, encoded bytes do no harm to a reader. */
const MAX_SHOWN_BYTES = 256;
const BASE64 = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]+={0,2}$/;

function withoutBytes(value: string): string {
  if (value.length <= MAX_SHOWN_BYTES || !BASE64.test(value)) return value;
  return `(${value.length} characters of encoded data)`;
}
