/** What a route takes and answers with, in words short enough for a table. */

import { pathOf } from '../../kernel/verb.ts';
import { z } from '../../kernel/zod.ts';
import { inputSchema, type SchemaNode } from './query-input.ts';
import type { GuardedRoute, Route } from './route.ts';

export interface Field {
  readonly name: string;
  /** The kind of value; for a choice, its values between backticks. */
  readonly value: string;
  readonly meaning: string;
  readonly isRequired: boolean;
}

/** The kind of value, not its whole schema. */
function kindOf(node: SchemaNode): string {
  if (node.anyOf !== undefined) return [...new Set(node.anyOf.map(kindOf))].join(' or ');
  if (Array.isArray(node.enum)) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.type === 'array') return `list of ${kindOf(node.items ?? {})}`;
  return node.type ?? 'any';
}

/** By the names under which the route takes them. */
export function fieldsOf({ verb, renamed = {} }: GuardedRoute): Field[] {
  if (verb === undefined) return [];
  const { properties = {}, required = [] } = inputSchema(verb.input);
  const shown = (name: string) => Object.entries(renamed).find(([, meant]) => meant === name)?.[0] ?? name;
  return Object.entries(properties).map(([name, node]) => ({
    ...{ name: shown(name), value: kindOf(node), meaning: String(node.description ?? '') },
    isRequired: (required as string[]).includes(name),
  }));
}

/** With names between backticks. */
export function answerOf({ response }: Route): string {
  const node = z.toJSONSchema(response.schema, { io: 'output', unrepresentable: 'any' }) as SchemaNode;
  const item = node.type === 'array' ? (node.items ?? {}) : node;
  const names = Object.keys(item.properties ?? {}).map((name) => `\`${name}\``);
  const what = names.length === 0 ? kindOf(item) : names.join(', ');
  return `Returns ${node.type === 'array' ? 'a list of ' : ''}${what}.`;
}

/** Whether this is the route that every verb has; others are shorter ways to the same. */
export function isLongRoute({ method, verb, path }: GuardedRoute): boolean {
  return method === 'POST' && verb !== undefined && path === pathOf(verb);
}

/** `/v1/memory/add` → memory; what is not below /v1 belongs to the server itself. */
export function groupOf({ path }: Route): string {
  const [, version, group = ''] = path.split('/');
  return version === 'v1' && group !== 'browser' ? group : version === 'events' ? 'events' : 'server';
}
