/** The one predicate that decides which rows a viewer sees, and the filters on top of it. Values are always bound. */
import type { RecordState } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

function visible(viewer: Viewer): Sql {
  if (viewer.role === 'admin') return raw('TRUE');
  if (viewer.agent === undefined) return raw("r.scope = 'swarm'");
  return sql`(r.agent = ${viewer.agent} OR r.scope = 'swarm')`;
}

function inState(state: RecordState, now: number): Sql {
  if (state === 'forgotten') return raw('r.forgotten_at IS NOT NULL');
  if (state === 'expired') return sql`(r.forgotten_at IS NULL AND r.expires_at <= ${now})`;
  return sql`(r.forgotten_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > ${now}))`;
}

function inStates(states: readonly RecordState[], now: number): Sql {
  if (states.length === 0) return raw('FALSE');
  return sql`(${joined(
    states.map((state) => inState(state, now)),
    ' OR ',
  )})`;
}

/** What each filter asks for; those that are not given ask for nothing. */
function conditions(filter: RecordFilter): Sql[] {
  const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
    value === undefined ? [] : [condition(value)];
  return [
    ...when(filter.categories, (values) => sql`r.category = ANY(${values}::text[])`),
    ...when(filter.sources, (values) => sql`r.source = ANY(${values}::text[])`),
    ...when(filter.scopes, (values) => sql`r.scope = ANY(${values}::text[])`),
    ...when(filter.tags, (values) => sql`r.tags @> ${values}::text[]`),
    ...when(filter.agent, (value) => sql`r.agent = ${value}`),
    ...when(filter.minConfidence, (value) => sql`r.confidence >= ${value}::float8`),
    ...when(filter.createdSince, (value) => sql`r.created_at >= ${value}`),
    ...when(filter.createdBefore, (value) => sql`r.created_at < ${value}`),
    ...when(filter.thread, inThread),
    // A record that was changed after that time says something else today, unless it is told to have held all along.
    ...when(
      filter.heldAt,
      (time) =>
        sql`(COALESCE(r.valid_from, r.created_at) <= ${time} AND (r.updated_at <= ${time} OR r.version = 1))`,
    ),
    ...when(filter.pinned, (value) => sql`r.pinned = ${value}`),
  ];
}

/** Through the index, whose entries are hashes of names. */
export const inThread = (thread: string): Sql =>
  sql`(md5(r.thread) = md5(${thread}) AND r.thread = ${thread})`;

export function recordWhere(
  viewer: Viewer,
  filter: RecordFilter,
  states: readonly RecordState[],
  now: number,
): Sql {
  return joined([visible(viewer), inStates(states, now), ...conditions(filter)], ' AND ');
}
