/** Maps the ids of a mem0 call to agent, user and thread, and applies its filters. */
import { NO_AGENT } from '../../kernel/caller.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Entity, SearchFilters } from './types.ts';

export interface Scope {
  readonly user: string | undefined;
  readonly agent: string | undefined;
  readonly thread: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function scopeOf(options: Entity & { readonly filters?: SearchFilters } = {}, verb: string): Scope {
  const { user_id, agent_id, run_id, ...metadata } = options.filters ?? {};
  const scope = {
    user: options.userId ?? user_id,
    agent: options.agentId ?? agent_id,
    thread: options.runId ?? run_id,
    metadata,
  };
  if (scope.user === undefined && scope.agent === undefined && scope.thread === undefined) {
    throw new KeepsakeError('INVALID_INPUT', `${verb}() needs one of userId, agentId and runId.`, {
      hint: `Name the person: ${verb}(…, { userId: "ada" }), or { filters: { user_id: "ada" } } for search and getAll.`,
    });
  }
  for (const [key, value] of Object.entries(metadata)) checkFilter(key, value);
  return scope;
}

function checkFilter(key: string, value: unknown): void {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (isPlain || (isIn(value) && !['AND', 'OR', 'NOT'].includes(key))) return;
  throw new KeepsakeError('UNSUPPORTED', `The filter "${key}" is not supported.`, {
    hint: 'Filters compare metadata with a value, with "*" for any value, or with { in: [values] }.',
  });
}

const isIn = (value: unknown): value is { in: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'in' in value && Array.isArray(value.in);

/** A handle shows more than mem0 means: for example what an agent knows about nobody in particular. */
export function isMeant({ user, agent, metadata }: Scope, record: MemoryRecord): boolean {
  if (user !== undefined && record.user !== user) return false;
  if (agent !== undefined && record.agent !== agent) return false;
  return Object.entries(metadata).every(([key, wanted]) => {
    const value = record.metadata[key];
    if (wanted === '*') return value !== undefined;
    return isIn(wanted) ? wanted.in.includes(value) : value === wanted;
  });
}

/** The same names as mem0 gives an item. */
export function entityOf({ user, agent, thread }: MemoryRecord): Partial<Record<keyof Entity, string>> {
  return defined({
    userId: user ?? undefined,
    agentId: agent === NO_AGENT ? undefined : agent,
    runId: thread ?? undefined,
  });
}
