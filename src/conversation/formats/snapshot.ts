/** The snapshot of a conversation that every export contains, and its strict parser. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { ContentPart, ConversationMessage, MessageContent } from '../messages/message.ts';
import { isOneLine } from './heading.ts';
import { copyJson, isObject } from './plain.ts';
import { invalid } from './problem.ts';
import { isTime, parseTime, toIso } from './timestamps.ts';

export const SNAPSHOT_VERSION = 1;
/** Value of the key `keepsake` in our exports. */
const KIND = 'conversation';

export interface ConversationSnapshot {
  readonly version: 1;
  readonly agent: string;
  readonly conversationId: string;
  readonly createdAt: number;
  readonly messages: readonly ConversationMessage[];
  /** What the agent is made with; it is not part of what was said. */
  readonly static?: StaticContext;
}

export interface StaticContext {
  readonly systemPrompt?: string;
  readonly rules?: string;
  readonly customRules?: string;
}

const STATIC_KEYS = ['systemPrompt', 'rules', 'customRules'];
const HEAD_KEYS = ['keepsake', 'version', 'agent', 'conversationId', 'createdAt', 'static', 'messages'];
const MESSAGE_KEYS = ['id', 'role', 'timestamp', 'at', 'run', 'seq', 'content', 'metadata'];

/** Everything but the messages, with ISO times: the edge of the system is where they belong. */
export function plainHead(snapshot: ConversationSnapshot): JsonObject {
  return {
    keepsake: KIND,
    version: SNAPSHOT_VERSION,
    agent: snapshot.agent,
    conversationId: snapshot.conversationId,
    createdAt: toIso(snapshot.createdAt),
    ...(snapshot.static === undefined ? {} : { static: { ...snapshot.static } }),
  };
}

/** Whatever has its default value is left out, for the reader's sake. */
export function plainMessage(message: ConversationMessage): JsonObject {
  return {
    id: message.id,
    role: message.role,
    timestamp: toIso(message.at),
    ...(message.run === null ? {} : { run: message.run }),
    ...defined({ seq: message.seq }),
    content: message.content,
    ...(Object.keys(message.metadata).length === 0 ? {} : { metadata: message.metadata }),
  };
}

/** Refuses before anything is written what could not be read back. */
export function checkSnapshot(snapshot: ConversationSnapshot): ConversationSnapshot {
  return readSnapshot(copyJson(snapshot, '') as JsonObject);
}

/** Our own exports say so; a snapshot that was written by hand is recognised by its keys. */
export function isSnapshot(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  return value.keepsake === KIND || (typeof value.version === 'number' && 'conversationId' in value);
}

export function readSnapshot(value: JsonObject): ConversationSnapshot {
  if (typeof value.version === 'number' && value.version > SNAPSHOT_VERSION) {
    throw new KeepsakeError(
      'TOO_NEW',
      `The conversation was exported in version ${value.version} of the format; this Keepsake reads ${SNAPSHOT_VERSION}.`,
      { hint: 'Update Keepsake, then load it again.' },
    );
  }
  if (value.version !== SNAPSHOT_VERSION) throw invalid('version', 'must be 1');
  refuseUnknownKeys(value, '', HEAD_KEYS);
  if (!Array.isArray(value.messages)) throw invalid('messages', 'must be a list');
  const ids = new Set<string>();
  const messages = value.messages.map((entry, index) => {
    const message = readMessage(entry, `messages[${index}]`);
    if (ids.has(message.id)) throw invalid(`messages[${index}].id`, 'is the id of an earlier message too');
    ids.add(message.id);
    return message;
  });
  return {
    version: SNAPSHOT_VERSION,
    agent: oneLine(value.agent, 'agent'),
    conversationId: oneLine(value.conversationId, 'conversationId'),
    createdAt: readTime(value.createdAt, 'createdAt'),
    messages,
    ...(value.static === undefined ? {} : { static: readStatic(value.static) }),
  };
}

export function readMessage(value: JsonValue, path: string): ConversationMessage {
  if (!isObject(value)) throw invalid(path, 'must be an object');
  refuseUnknownKeys(value, path, MESSAGE_KEYS);
  const { run = null, seq, metadata = {} } = value;
  if (run !== null && typeof run !== 'string') throw invalid(`${path}.run`, 'must be text or null');
  if (!isObject(metadata)) throw invalid(`${path}.metadata`, 'must be an object');
  if (seq !== undefined && (!Number.isSafeInteger(seq) || (seq as number) < 0)) {
    throw invalid(`${path}.seq`, 'must be a whole number, zero or more');
  }
  return {
    id: nonEmpty(value.id, `${path}.id`),
    role: nonEmpty(value.role, `${path}.role`),
    content: readContent(value.content, `${path}.content`),
    at: readTime(value.at ?? value.timestamp, `${path}.${'at' in value ? 'at' : 'timestamp'}`),
    run,
    metadata,
    ...(seq === undefined ? {} : { seq: seq as number }),
  };
}

export function readContent(value: JsonValue | undefined, path: string): MessageContent {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw invalid(path, 'must be text or a list of parts');
  value.forEach((part, index) => {
    if (!isObject(part) || typeof part.type !== 'string') {
      throw invalid(`${path}[${index}]`, 'must be an object with a "type"');
    }
  });
  return value as ContentPart[];
}

function readStatic(value: JsonValue): StaticContext {
  if (!isObject(value)) throw invalid('static', 'must be an object');
  refuseUnknownKeys(value, 'static', STATIC_KEYS);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw invalid(`static.${key}`, 'must be text');
  }
  return value as StaticContext;
}

function readTime(value: JsonValue | undefined, path: string): number {
  const at = typeof value === 'string' ? parseTime(value) : value;
  if (isTime(at)) return at;
  throw invalid(path, 'must be a time: ISO 8601, or whole milliseconds since 1970');
}

function nonEmpty(value: JsonValue | undefined, path: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(path, 'must be text and not empty');
}

/** These two stand in the header of a transcript. */
function oneLine(value: JsonValue | undefined, path: string): string {
  const text = nonEmpty(value, path);
  if (isOneLine(text)) return text;
  throw invalid(path, 'must be one line without control characters');
}

/** Dropping what we do not understand would lose it silently. */
function refuseUnknownKeys(value: JsonObject, path: string, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw invalid(path, `has the unknown key ${JSON.stringify(unknown)}`, `Known keys: ${known.join(', ')}.`);
  }
}
