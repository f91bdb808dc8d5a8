/** The export of ChatGPT: conversations.json, where each conversation is a tree; the branch that was read last is what counts. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  type Foreign,
  type ForeignConversation,
  type ForeignMessage,
  isObject,
  NOTHING,
  notThat,
  textOf,
  timeOf,
} from './foreign.ts';

const ROLES: Readonly<Record<string, ForeignMessage['role']>> = {
  user: 'User',
  assistant: 'assistant',
  tool: 'Tool',
};

export function isChatGpt(value: JsonValue): boolean {
  return Array.isArray(value) && isObject(value[0]) && isObject(value[0].mapping);
}

/** The newest leaf, for exports that do not name the current one. */
function newestLeaf(mapping: JsonObject): string | undefined {
  const leaves = Object.entries(mapping).filter(
    ([, node]) => isObject(node) && !(Array.isArray(node.children) && node.children.length > 0),
  );
  const timeIn = (node: JsonValue): number => {
    const message = isObject(node) ? node.message : undefined;
    return isObject(message) ? (timeOf(message.create_time) ?? 0) : 0;
  };
  return leaves.reduce<[string, JsonValue] | undefined>(
    (best, leaf) => (best === undefined || timeIn(leaf[1]) >= timeIn(best[1]) ? leaf : best),
    undefined,
  )?.[0];
}

/** From the leaf back to the root; a tree that bites its own tail ends there. */
function branch(mapping: JsonObject, leaf: string | undefined): JsonObject[] {
  const nodes: JsonObject[] = [];
  const seen = new Set<string>();
  for (let id = leaf; id !== undefined && !seen.has(id) && Object.hasOwn(mapping, id); ) {
    seen.add(id);
    const node = mapping[id];
    if (!isObject(node)) break;
    nodes.unshift(node);
    id = textOf(node.parent);
  }
  return nodes;
}

/** Texts only; pictures and other parts are objects. Thoughts and code that ran are no part of what was said. */
function textIn(content: JsonValue | undefined): string {
  if (!isObject(content)) return '';
  const type = content.content_type ?? 'text';
  if (type !== 'text' && type !== 'multimodal_text') return '';
  const parts = Array.isArray(content.parts) ? content.parts : [];
  return parts.flatMap((part) => textOf(part) ?? []).join('\n\n');
}

function messageOf(node: JsonObject, fallback: { id: string; at: number }): ForeignMessage | undefined {
  const { message } = node;
  if (!isObject(message)) return undefined;
  const author = isObject(message.author) ? message.author.role : undefined;
  const role = typeof author === 'string' && Object.hasOwn(ROLES, author) ? ROLES[author] : undefined;
  const text = textIn(message.content);
  if (role === undefined || text === '' || message.weight === 0) return undefined;
  return {
    id: textOf(message.id) ?? fallback.id,
    role,
    text,
    at: timeOf(message.create_time) ?? fallback.at,
  };
}

export function readChatGpt(value: JsonValue): Foreign {
  if (!Array.isArray(value)) throw notThat('chatgpt', 'conversations.json is a list.');
  let skipped = 0;
  const conversations = value.flatMap((entry, index): ForeignConversation[] => {
    if (!isObject(entry) || !isObject(entry.mapping))
      throw notThat('chatgpt', `entry ${index + 1} has no "mapping".`);
    const { mapping } = entry;
    const id = textOf(entry.conversation_id) ?? textOf(entry.id) ?? `chatgpt-${index + 1}`;
    const leaf = textOf(entry.current_node) ?? newestLeaf(mapping);
    let at = timeOf(entry.create_time) ?? 0;
    const messages = branch(mapping, leaf).flatMap((node, place) => {
      const message = messageOf(node, { id: `${id}#${place}`, at });
      at = message?.at ?? at;
      return message ?? [];
    });
    const withMessage = Object.values(mapping).filter((node) => isObject(node) && isObject(node.message));
    skipped += withMessage.length - messages.length;
    return messages.length === 0 ? [] : [{ id, title: textOf(entry.title) ?? '', messages }];
  });
  return { ...NOTHING, format: 'chatgpt', conversations, skipped };
}
