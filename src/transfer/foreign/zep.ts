/** Zep: what its API answers about a user's graph and threads. Edges that still hold become facts, threads become chats. */
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

const isEdge = (value: unknown): value is JsonObject =>
  isObject(value) && textOf(value.fact) !== undefined && textOf(value.source_node_uuid) !== undefined;

const isTurn = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textOf(value.content) !== undefined &&
  typeof (value.role_type ?? value.role) === 'string';

/** A thread by itself, as `thread.get` answers. */
const isThread = (value: JsonValue): value is JsonObject =>
  isObject(value) &&
  isTurn(objectsIn(value.messages)[0]) &&
  ('thread_id' in value || 'session_id' in value || 'row_count' in value);

const edgesIn = (value: JsonValue): readonly JsonObject[] =>
  objectsIn(isObject(value) ? value.edges : value).filter(isEdge);

const threadsIn = (value: JsonValue): readonly JsonObject[] => {
  const listed = isObject(value) ? [value.threads, value.sessions].flatMap(objectsIn) : objectsIn(value);
  return [...(isThread(value) ? [value] : []), ...listed.filter(({ messages }) => Array.isArray(messages))];
};

export const isZep = (value: JsonValue): boolean =>
  edgesIn(value).length > 0 || threadsIn(value).some((thread) => isThread(thread));

/** One that was replaced by a newer one is not true any more. */
const isOver = ({ invalid_at: invalid, expired_at: expired }: JsonObject): boolean =>
  timeOf(invalid ?? undefined) !== undefined || timeOf(expired ?? undefined) !== undefined;

function factOf(edge: JsonObject): ForeignFact {
  const label = labelOf(edge.name)?.toLowerCase().replaceAll('_', ' ');
  return {
    content: textOf(edge.fact)!,
    category: 'fact',
    tags: label === undefined ? [] : [label],
    metadata: { zep: { uuid: textOf(edge.uuid) ?? null } },
    since: timeOf(edge.valid_at ?? edge.created_at ?? undefined),
  };
}

/** What is known of a person or thing as a whole. */
function summaryOf(node: JsonObject): ForeignFact[] {
  const [name, summary] = [textOf(node.name), textOf(node.summary)];
  if (name === undefined || summary === undefined) return [];
  const content = summary.includes(name) ? summary : `${name}: ${summary}`;
  const metadata = { zep: { uuid: textOf(node.uuid) ?? null } };
  return [{ content, category: 'fact', tags: [], metadata, since: timeOf(node.created_at ?? undefined) }];
}

const ROLES: Readonly<Record<string, ForeignMessage['role']>> = {
  user: 'User',
  human: 'User',
  assistant: 'assistant',
  ai: 'assistant',
  system: 'System',
  tool: 'Tool',
  function: 'Tool',
};

function conversationOf(thread: JsonObject, index: number): ForeignConversation | undefined {
  const id =
    [thread.thread_id, thread.session_id, thread.uuid].map(textOf).find((each) => each) ?? `zep-${index + 1}`;
  let at = timeOf(thread.created_at ?? thread.thread_created_at ?? undefined) ?? 0;
  const messages = objectsIn(thread.messages).flatMap((message, place): ForeignMessage[] => {
    if (!isTurn(message)) return [];
    at = timeOf(message.created_at ?? undefined) ?? at;
    const kind = String(message.role_type ?? message.role).toLowerCase();
    const role = (Object.hasOwn(ROLES, kind) ? ROLES[kind] : undefined) ?? 'User';
    return [{ id: textOf(message.uuid) ?? `${id}#${place}`, role, text: textOf(message.content)!, at }];
  });
  return messages.length === 0 ? undefined : { id, title: '', messages };
}

export function readZep(value: JsonValue): Foreign {
  if (!isZep(value)) throw notThat('zep', 'it has neither edges with facts nor threads with messages.');
  const edges = edgesIn(value);
  const current = edges.filter((edge) => !isOver(edge));
  const nodes = isObject(value) ? objectsIn(value.nodes) : [];
  const given = threadsIn(value);
  const conversations = given.map(conversationOf).filter((each) => each !== undefined);
  return {
    ...NOTHING,
    format: 'zep',
    facts: [...current.map(factOf), ...nodes.flatMap(summaryOf)],
    conversations,
    skipped: edges.length - current.length + given.length - conversations.length,
  };
}
