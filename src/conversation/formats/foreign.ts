/**
 * Reads the messages of other systems: lists of {role, content, timestamp} as the original exports them, and the
 * message arrays of OpenAI, Anthropic, Gemini and the AI SDK. Parts stay verbatim, unknown keys become metadata.
 */
import { defined } from '../../kernel/defined.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { DEFAULT_AGENT_NAME } from '../../kernel/names.ts';
import { type ConversationMessage, type ModelRole, modelRole } from '../messages/message.ts';
import { readForeignContent } from './foreign-content.ts';
import { isOneLine } from './heading.ts';
import { isObject } from './plain.ts';
import { invalid } from './problem.ts';
import type { ConversationSnapshot, StaticContext } from './snapshot.ts';
import { stableIds, stableUuid } from './stable-ids.ts';
import { isTime, parseTime } from './timestamps.ts';

/** What a foreign file does not say about itself. */
export interface ImportDefaults {
  /** Who spoke as `assistant`, where the file does not name an agent. */
  readonly agent?: string;
  readonly conversationId?: string;
  /** Time of messages that carry none, in milliseconds. */
  readonly at?: number;
}

const LIST_KEYS = ['messages', 'conversation_history', 'history', 'conversation'];
const TIME_KEYS = ['timestamp', 'at', 'created_at', 'createdAt', 'time', 'date'];
const ID_KEYS = ['id', 'message_id', 'messageId'];
/** Numbers below this are seconds: as milliseconds they would lie before 1974. */
const FIRST_MILLISECONDS = 1e11;

export function readForeign(value: JsonValue, defaults: ImportDefaults): ConversationSnapshot {
  const { list, path } = findList(value);
  const entries = list.map((entry, index) => readEntry(entry, `${path}[${index}]`));
  const about = aboutOf(value);
  const agent = text(about, 'agent_name', 'agentName', 'agent') ?? agentOf(entries, defaults.agent);
  const conversationId =
    defaults.conversationId ??
    text(about, 'conversation_id', 'conversationId', 'id') ??
    stableUuid(JSON.stringify(value));
  const first = entries.find((entry) => entry.at !== undefined)?.at ?? defaults.at ?? 0;
  const stableId = stableIds(conversationId);
  const ids = new Set<string>();
  let at = first;
  const messages = entries.map((entry, index): ConversationMessage => {
    at = entry.at ?? at;
    const stable = stableId(at, JSON.stringify(list[index]));
    const id = entry.id === undefined || ids.has(entry.id) ? stable : entry.id;
    ids.add(id);
    const role = ourRole(entry.role, agent);
    return { id, role, content: entry.content, at, run: entry.run, metadata: entry.metadata };
  });
  const createdAt = readTime(about.created_at ?? about.createdAt) ?? first;
  const fixed = staticOf(about);
  return {
    version: 1,
    agent,
    conversationId,
    createdAt,
    messages,
    ...(Object.keys(fixed).length === 0 ? {} : { static: fixed }),
  };
}

interface Entry extends Omit<ConversationMessage, 'id' | 'at' | 'seq'> {
  readonly id: string | undefined;
  readonly at: number | undefined;
}

function findList(value: JsonValue): { list: JsonValue[]; path: string } {
  if (Array.isArray(value)) return { list: value, path: '' };
  if (isObject(value)) {
    const key = LIST_KEYS.find((name) => Array.isArray(value[name]));
    if (key !== undefined) return { list: value[key] as JsonValue[], path: key };
    if ('role' in value) return { list: [value], path: '' };
  }
  throw invalid(
    '',
    'holds no list of messages',
    'Give a list of {"role", "content"}, or an object that has one as "messages".',
  );
}

function readEntry(value: JsonValue, path: string): Entry {
  if (!isObject(value)) throw invalid(path, 'must be an object with "role" and "content"');
  const { role, metadata, run, ...rest } = value;
  if (typeof role !== 'string' || role === '') throw invalid(`${path}.role`, 'must be text and not empty');
  const content = readForeignContent(role, rest, path);
  const timeKey = TIME_KEYS.find((key) => readTime(rest[key]) !== undefined);
  const at = timeKey === undefined ? undefined : readTime(rest[timeKey]);
  if (timeKey !== undefined) delete rest[timeKey];
  const idKey = ID_KEYS.find((key) => typeof rest[key] === 'string' && rest[key] !== '');
  const id = idKey === undefined ? undefined : (rest[idKey] as string);
  if (idKey !== undefined) delete rest[idKey];
  if (run !== undefined && run !== null && typeof run !== 'string') rest.run = run;
  return {
    id,
    role,
    content,
    at,
    run: typeof run === 'string' ? run : null,
    metadata: merged(rest, metadata),
  };
}

function merged(rest: JsonObject, metadata: JsonValue | undefined): JsonObject {
  if (metadata === undefined || metadata === null) return rest;
  if (!isObject(metadata)) return { ...rest, metadata };
  const collides = Object.keys(rest).some((key) => Object.hasOwn(metadata, key));
  return collides ? { ...metadata, imported: rest } : { ...rest, ...metadata };
}

const OUR_ROLES: Readonly<Record<Exclude<ModelRole, 'assistant'>, string>> = {
  user: 'User',
  system: 'System',
  tool: 'Tool',
};

/** A name that is not a common word for a role is somebody's name and stays. */
function isName(role: string): boolean {
  return modelRole(role, role) === 'assistant' && !['assistant', 'model'].includes(role.toLowerCase());
}

function ourRole(role: string, agent: string): string {
  if (isName(role)) return role;
  const plain = modelRole(role, agent);
  return plain === 'assistant' ? agent : OUR_ROLES[plain];
}

/** The original system writes the agent's name as the role of its answers; others write "assistant". */
function agentOf(entries: readonly Entry[], otherwise = DEFAULT_AGENT_NAME): string {
  const roles = entries.map((entry) => entry.role);
  const names = new Set(roles.filter((role) => isName(role) && isOneLine(role)));
  const isNamed =
    names.size === 1 && !roles.some((role) => !isName(role) && modelRole(role, '') === 'assistant');
  return isNamed ? [...names][0]! : otherwise;
}

function readTime(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return parseTime(value.trim());
  if (typeof value !== 'number') return undefined;
  const at = Math.round(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value);
  return isTime(at) ? at : undefined;
}

/** The original system keeps its settings under `metadata`; request bodies have them beside the messages. */
function aboutOf(value: JsonValue): JsonObject {
  if (!isObject(value)) return {};
  return isObject(value.metadata) ? { ...value, ...value.metadata } : value;
}

function staticOf(about: JsonObject): StaticContext {
  const systemPrompt = text(about, 'system_prompt', 'systemPrompt', 'system');
  const rules = text(about, 'rules');
  const customRules = text(about, 'custom_rules_prompt', 'customRules');
  return {
    ...defined({ systemPrompt, rules, customRules }),
  };
}

function text(from: JsonObject, ...keys: string[]): string | undefined {
  const key = keys.find((name) => typeof from[name] === 'string' && from[name] !== '');
  return key === undefined ? undefined : (from[key] as string);
}
