/** The one predicate that decides which rows a viewer sees, and the filters on top of it. Values are always bound. */
import type { MemoryRecord, RecordState } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';

type Value = string | number;

export interface Where {
  readonly sql: string;
  readonly values: readonly Value[];
}

function visible(viewer: Viewer): Where {
  if (viewer.role === 'admin') return { sql: 'TRUE', values: [] };
  if (viewer.agent === undefined) return { sql: "r.scope = 'swarm'", values: [] };
  return { sql: "(r.agent = ? OR r.scope = 'swarm')", values: [viewer.agent] };
}

function inStates(states: readonly RecordState[], now: number): Where {
  const parts: Where[] = states.map((state) => {
    if (state === 'forgotten') return { sql: 'r.forgotten_at IS NOT NULL', values: [] };
    if (state === 'expired') return { sql: '(r.forgotten_at IS NULL AND r.expires_at <= ?)', values: [now] };
    return { sql: '(r.forgotten_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?))', values: [now] };
  });
  return {
    sql: `(${parts.map((part) => part.sql).join(' OR ') || 'FALSE'})`,
    values: parts.flatMap((p) => p.values),
  };
}

/** A record that was changed after that time says something else today, unless it is told to have held all along. */
function heldAt(time: number): Where {
  return {
    sql: '(COALESCE(r.valid_from, r.created_at) <= ? AND (r.updated_at <= ? OR r.version = 1))',
    values: [time, time],
  };
}

function oneOf(column: string, values: readonly string[] | undefined): Where[] {
  if (values === undefined) return [];
  if (values.length === 0) return [{ sql: 'FALSE', values: [] }];
  return [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }];
}

function compare(sql: string, value: Value | undefined): Where[] {
  return value === undefined ? [] : [{ sql, values: [value] }];
}

export function recordWhere(
  viewer: Viewer,
  filter: RecordFilter,
  states: readonly RecordState[],
  now: number,
): Where {
  const parts: Where[] = [
    visible(viewer),
    inStates(states, now),
    ...oneOf('r.category', filter.categories),
    ...oneOf('r.source', filter.sources),
    ...oneOf('r.scope', filter.scopes),
    ...(filter.tags ?? []).map((tag) => ({
      sql: 'EXISTS (SELECT 1 FROM json_each(r.tags) t WHERE t.value = ?)',
      values: [tag],
    })),
    ...compare('r.agent = ?', filter.agent),
    ...compare('r.confidence >= ?', filter.minConfidence),
    ...compare('r.created_at >= ?', filter.createdSince),
    ...compare('r.created_at < ?', filter.createdBefore),
    ...compare('r.thread = ?', filter.thread),
    ...(filter.heldAt === undefined ? [] : [heldAt(filter.heldAt)]),
    ...compare('r.pinned = ?', filter.pinned === undefined ? undefined : Number(filter.pinned)),
  ];
  return { sql: parts.map((part) => part.sql).join(' AND '), values: parts.flatMap((part) => part.values) };
}

/** The same filters, on a record as it once was. */
export function matchesFilter(record: MemoryRecord, filter: RecordFilter): boolean {
  const among = (values: readonly string[] | undefined, value: string): boolean =>
    values === undefined || values.includes(value);
  return (
    among(filter.categories, record.category) &&
    among(filter.sources, record.source) &&
    among(filter.scopes, record.scope) &&
    (filter.tags ?? []).every((tag) => record.tags.includes(tag)) &&
    (filter.agent === undefined || record.agent === filter.agent) &&
    record.confidence >= (filter.minConfidence ?? 0) &&
    record.createdAt >= (filter.createdSince ?? 0) &&
    record.createdAt < (filter.createdBefore ?? Number.POSITIVE_INFINITY) &&
    (filter.pinned === undefined || record.pinned === filter.pinned) &&
    (filter.thread === undefined || record.thread === filter.thread)
  );
}
