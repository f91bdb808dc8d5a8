/** The payload of a point, and queries compiled into Qdrant filters. No text of a memory leaves the main storage. */
import { defined } from '../../kernel/defined.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { VectorQuery } from '../../ports/record-store.ts';
import type { VectorChange } from '../../ports/vector-feed.ts';

/** Later than any date. */
const NEVER = Number.MAX_SAFE_INTEGER;

type FieldType = 'keyword' | 'integer' | 'float' | 'bool' | 'datetime';

/** Every field that a filter may name has an index: without one, Qdrant would look at every point, or refuse to. */
export const FIELDS: Readonly<Record<string, FieldType>> = {
  record: 'keyword',
  change: 'integer',
  agent: 'keyword',
  user: 'keyword',
  scope: 'keyword',
  source: 'keyword',
  category: 'keyword',
  tags: 'keyword',
  thread: 'keyword',
  confidence: 'float',
  pinned: 'bool',
  createdAt: 'integer',
  expiresAt: 'integer',
  heldFrom: 'integer',
  changedAt: 'integer',
};

/** Of a result of a swarm, in its own collection. */
export const RESULT_FIELDS: typeof FIELDS = {
  ...FIELDS,
  date: 'datetime',
  swarmType: 'keyword',
  cost: 'float',
  model: 'keyword',
  run: 'keyword',
};

export interface Condition {
  readonly key?: string;
  readonly match?: { readonly value: string | boolean } | { readonly any: readonly string[] };
  readonly range?: {
    readonly gt?: number;
    readonly gte?: number;
    readonly lt?: number;
    readonly lte?: number;
  };
  readonly is_empty?: { readonly key: string };
  readonly has_id?: readonly number[];
  readonly must?: readonly Condition[];
  readonly must_not?: readonly Condition[];
  readonly should?: readonly Condition[];
}

/** Qdrant refuses lone surrogates, which our texts may hold. The main storage compares the records that it finds again. */
const known = (text: string): string => text.toWellFormed();

export function payloadOf(change: VectorChange, record: MemoryRecord) {
  const { thread, validFrom, createdAt, expiresAt, version, updatedAt } = record;
  return {
    record: record.id,
    change: change.change,
    version,
    agent: known(record.agent),
    // Points about nobody have no such field, as those that were stored before there were users.
    ...defined({ user: record.user ?? undefined }),
    scope: record.scope,
    source: record.source,
    category: known(record.category),
    tags: record.tags.map(known),
    ...defined({ thread: thread === null ? undefined : known(thread) }),
    confidence: record.confidence,
    pinned: record.pinned,
    createdAt,
    expiresAt: expiresAt ?? NEVER,
    heldFrom: validFrom ?? createdAt,
    // A record that never changed is valid since it was stored, or before.
    changedAt: version === 1 ? 0 : updatedAt,
  };
}

export const isResult = ({ vector }: VectorChange): boolean => vector?.record.source === 'swarm_result';

/** Other programs filter results by these; our own search asks the collection of all memories. */
export function resultPayloadOf(change: VectorChange, record: MemoryRecord): ReturnType<typeof payloadOf> {
  const { date, type, cost, model, run } = record.metadata;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? known(value) : undefined);
  return {
    ...payloadOf(change, record),
    ...defined({
      date: text(date) ?? new Date(record.createdAt).toISOString(),
      swarmType: text(type),
      cost: typeof cost === 'number' ? cost : undefined,
      model: text(model),
      run: text(run),
    }),
  };
}

const is = (key: string, value: string | boolean): Condition => ({
  key,
  match: { value: typeof value === 'string' ? known(value) : value },
});
const orEmpty = (key: string, value: string | null): Condition =>
  value === null ? { is_empty: { key } } : is(key, value);
const oneOf = (key: string, values: readonly string[]): Condition => ({
  key,
  match: { any: values.map(known) },
});

/** Fields of the payload are named like those of the record. */
function visible(viewer: Viewer): Condition[] {
  const alternatives = visibleTo(viewer).map((conditions) =>
    conditions.map(({ field, is: value }) => orEmpty(field, value)),
  );
  if (alternatives.some((conditions) => conditions.length === 0)) return [];
  if (alternatives.length === 1) return alternatives[0]!;
  return [{ should: alternatives.map((must) => (must.length === 1 ? must[0]! : { must })) }];
}

/** The same conditions as those of the main storage. Undefined: nothing can pass. */
export function conditionsOf({
  viewer,
  now,
  filter,
}: Pick<VectorQuery, 'viewer' | 'now' | 'filter'>): Condition[] | undefined {
  const { categories, sources, scopes, threads } = filter;
  if ([categories, sources, scopes, threads].some((list) => list?.length === 0)) return undefined;
  const when = <T>(value: T | undefined, condition: (value: T) => Condition): Condition[] =>
    value === undefined ? [] : [condition(value)];
  return [
    ...visible(viewer),
    { key: 'expiresAt', range: { gt: now } },
    ...when(categories, (values) => oneOf('category', values)),
    ...when(sources, (values) => oneOf('source', values)),
    ...when(scopes, (values) => oneOf('scope', values)),
    ...(filter.tags ?? []).map((tag) => is('tags', tag)),
    ...when(filter.agent, (value) => is('agent', value)),
    ...when(filter.user, (value) => orEmpty('user', value)),
    ...when(filter.minConfidence, (gte) => ({ key: 'confidence', range: { gte } })),
    ...when(filter.createdSince, (gte) => ({ key: 'createdAt', range: { gte } })),
    ...when(filter.createdBefore, (lt) => ({ key: 'createdAt', range: { lt } })),
    ...when(filter.pinned, (value) => is('pinned', value)),
    ...when(filter.thread, (value) => is('thread', value)),
    ...when(filter.threads, (values) => oneOf('thread', values)),
    ...when(filter.heldAt, (lte) => ({ key: 'heldFrom', range: { lte } })),
    ...when(filter.heldAt, (lte) => ({ key: 'changedAt', range: { lte } })),
  ];
}
