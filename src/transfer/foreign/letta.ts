/** Letta: an agent file (.af). Its memory blocks become facts, what its agents and users said becomes a chat for each agent. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  type Foreign,
  type ForeignConversation,
  type ForeignFact,
  type ForeignMessage,
  isObject,
  labelOf,
  NOTHING,
  notThat,
  objectsIn,
  textOf,
  timeOf,
} from './foreign.ts';

/** Written for the agent and not about anybody: who it plays. */
const PERSONA = 'persona';
/** An empty field of a form, as in "Age: ?" and "Name: [unknown]". */
const BLANK = /:\s*(?:\?|\[?(?:unknown|none yet|none)\]?|n\/a)?\s*$/i;

export function isLetta(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  const isPresent = Array.isArray(value.agents) && Array.isArray(value.blocks);
  return isPresent || (Array.isArray(value.core_memory) && Array.isArray(value.messages));
}

/** One fact for each paragraph; lines of a form that nobody filled in are left out. */
function factsOf(block: JsonObject): ForeignFact[] {
  const label = labelOf(block.label) ?? 'block';
  if (label === PERSONA) return [];
  const text = textOf(block.value) ?? '';
  // A heading alone says nothing, so it stays with what follows it.
  const paragraphs = text.replaceAll(/^(#.*)\n\s*\n/gm, '$1\n').split(/\n\s*\n/);
  return paragraphs.flatMap((paragraph): ForeignFact[] => {
    const lines = paragraph.split('\n').filter((line) => line.trim() !== '' && !BLANK.test(line));
    if (lines.every((line) => line.startsWith('#'))) return [];
    const content = lines.join('\n').trim();
    return [{ content, category: 'fact', tags: [label], metadata: { letta: { label } }, since: undefined }];
  });
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};

const textsIn = (content: JsonValue | undefined): string =>
  textOf(content) ??
  objectsIn(content)
    .flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : []))
    .join('\n\n');

/** What a person typed is wrapped in JSON, and so is what wakes the agent without anybody saying anything. */
function userText(text: string): string | undefined {
  const wrapped = text.startsWith('{') ? parsed(text) : undefined;
  if (!isObject(wrapped) || typeof wrapped.type !== 'string') return text;
  return wrapped.type === 'user_message' ? textOf(wrapped.message) : undefined;
}

/** An agent of this kind speaks by calling a tool; its plain text is what it thinks. */
function sentText({ tool_calls: calls }: JsonObject): string | undefined {
  const sent = objectsIn(calls).flatMap(({ function: called }) => {
    if (!isObject(called) || called.name !== 'send_message') return [];
    const given = parsed(textOf(called.arguments) ?? '');
    return isObject(given) ? (textOf(given.message) ?? []) : [];
  });
  return sent.length === 0 ? undefined : sent.join('\n\n');
}

function messageOf(message: JsonObject, fallback: { id: string; at: number }): ForeignMessage | undefined {
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') return undefined;
  const plain = textsIn(message.content);
  const text = role === 'user' ? userText(plain) : (sentText(message) ?? plain);
  if (text === undefined || text.trim() === '') return undefined;
  return {
    id: textOf(message.id) ?? fallback.id,
    role: role === 'user' ? 'User' : 'assistant',
    text,
    at: timeOf(message.created_at) ?? fallback.at,
  };
}

export function readLetta(value: JsonValue): Foreign {
  if (!isLetta(value)) throw notThat('letta', 'it has neither "agents" and "blocks" nor "core_memory".');
  const agents = Array.isArray(value.agents) ? objectsIn(value.agents) : [value];
  const blocks = [value.blocks, value.core_memory, ...agents.map((agent) => agent.memory_blocks)];
  const all = blocks.flatMap(objectsIn).map(factsOf);
  const exportedAt = timeOf(value.created_at) ?? 0;
  let skipped = all.filter((each) => each.length === 0).length;
  const conversations = agents.flatMap((agent, index): ForeignConversation[] => {
    const title = textOf(agent.name) ?? '';
    // Ids inside a file are numbered again in each of them; the name tells two files apart.
    const id = `${title}#${textOf(agent.id) ?? index}`;
    let at = exportedAt;
    const given = objectsIn(agent.messages);
    const messages = given.flatMap((each, place) => {
      const message = messageOf(each, { id: `${id}#${place}`, at });
      at = message?.at ?? at;
      return message ?? [];
    });
    skipped += given.length - messages.length;
    return messages.length === 0 ? [] : [{ id, title, messages }];
  });
  return { ...NOTHING, format: 'letta', facts: all.flat(), conversations, skipped };
}
