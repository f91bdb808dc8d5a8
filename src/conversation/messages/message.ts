/** A message of a conversation: who said what and when. */
import type { JsonObject } from '../../kernel/json.ts';
import type { MessageContent } from '../rules/content-text.ts';

export { type ContentPart, contentText, type MessageContent } from '../rules/content-text.ts';

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
