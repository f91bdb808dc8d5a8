/** LangGraph: the items of a store become facts, the messages in the state of a thread become a chat. */
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

const isItem = (value: JsonObject): boolean =>
  Array.isArray(value.namespace) && textOf(value.key) !== undefined && isObject(value.value);

const isState = ({ values }: JsonObject): boolean => isObject(values) && Array.isArray(values.messages);

function entriesIn(value: JsonValue): readonly JsonObject[] {
  if (!isObject(value)) return objectsIn(value);
  return [value, ...[value.items, value.threads].flatMap(objectsIn)];
}

export const isLangGraph = (value: JsonValue): boolean =>
  entriesIn(value).some((entry) => isItem(entry) || isState(entry));

const WORDED = ['content', 'memory', 'data', 'text', 'fact'];

/** The text of a memory, or its fields in words: {"favourite_food": "pizza"} is "favourite food: pizza". */
function wordsOf(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return textOf(value);
  for (const name of WORDED) {
    const text = wordsOf(value[name]);
    if (text !== undefined) return text;
  }
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const isPlain = typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean';
    const items = Array.isArray(field) ? field.filter((each) => typeof each === 'string') : [];
    const text = isPlain ? String(field) : items.join(', ');
    return text.trim() === '' ? [] : [`${name.replaceAll('_', ' ')}: ${text}`];
  });
  return fields.length === 0 ? undefined : fields.join('; ');
}

function factOf(item: JsonObject): ForeignFact | undefined {
  const content = wordsOf(item.value);
  if (content === undefined) return undefined;
  const namespace = item.namespace as JsonValue[];
  return {
    content,
    category: labelOf((item.value as JsonObject).category) ?? 'fact',
    tags: [],
    metadata: { langgraph: { namespace, key: item.key! } },
    since: timeOf(item.created_at ?? item.createdAt ?? undefined),
  };
}

const ROLES: Readonly<Record<string, ForeignMessage['role']>> = {
  human: 'User',
  user: 'User',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'System',
};

/** As the API shows a message, or as the library serialises one. */
function fieldsOf(message: JsonObject): JsonObject {
  if (message.type !== 'constructor' || !isObject(message.kwargs)) return message;
  const kind = String(Array.isArray(message.id) ? message.id.at(-1) : '').replace(/Message(?:Chunk)?$/, '');
  return { ...message.kwargs, type: kind.toLowerCase() };
}

const textIn = (content: JsonValue | undefined): string =>
  textOf(content) ??
  objectsIn(content)
    .flatMap((part) => (part.type === 'text' ? (textOf(part.text) ?? []) : []))
    .join('\n\n');

function threadOf(state: JsonObject): string | undefined {
  const places = [state.checkpoint, isObject(state.config) ? state.config.configurable : undefined];
  const named = places.flatMap((place) => (isObject(place) ? (textOf(place.thread_id) ?? []) : []));
  return textOf(state.thread_id) ?? named[0];
}

function conversationOf(state: JsonObject, index: number): ForeignConversation | undefined {
  const id = threadOf(state) ?? `langgraph-${index + 1}`;
  const at = timeOf(state.created_at ?? state.createdAt ?? undefined) ?? 0;
  const messages = objectsIn((state.values as JsonObject).messages).flatMap(
    (given, place): ForeignMessage[] => {
      const message = fieldsOf(given);
      const kind = String(message.type ?? message.role);
      const role = Object.hasOwn(ROLES, kind) ? ROLES[kind] : undefined;
      const text = textIn(message.content);
      // A state says when it was written, not when each of its messages was.
      return role === undefined || text === ''
        ? []
        : [{ id: textOf(message.id) ?? `${id}#${place}`, role, text, at }];
    },
  );
  return messages.length === 0 ? undefined : { id, title: '', messages };
}

/** A history has one state for each step; the longest one holds what the others do. */
function longest(conversations: readonly ForeignConversation[]): ForeignConversation[] {
  const byId = new Map<string, ForeignConversation>();
  for (const each of conversations)
    if (each.messages.length > (byId.get(each.id)?.messages.length ?? 0)) byId.set(each.id, each);
  return [...byId.values()];
}

export function readLangGraph(value: JsonValue): Foreign {
  if (!isLangGraph(value))
    throw notThat('langgraph', 'it has neither items of a store nor states of threads.');
  const entries = entriesIn(value);
  const items = entries.filter(isItem).map(factOf);
  const facts = items.filter((fact) => fact !== undefined);
  const chats = entries.filter(isState).map(conversationOf);
  const conversations = longest(chats.filter((chat) => chat !== undefined));
  const skipped = items.length - facts.length + chats.filter((chat) => chat === undefined).length;
  return { ...NOTHING, format: 'langgraph', facts, conversations, skipped };
}
