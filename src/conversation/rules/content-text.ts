/** How the content of a message reads to a person, which is also what its text index holds. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

/**
 * One structured part, kept verbatim: `text`, `tool-call` {toolCallId, toolName, input}, `tool-result` {toolCallId,
 * toolName, output}, `image` …; the parts of other vendors are parts too.
 */
export type ContentPart = JsonObject & { type: string };
export type MessageContent = string | ContentPart[];

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
