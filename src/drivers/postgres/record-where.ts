/** Compiles who may see a record, and the filters on top of it, into SQL. */
import type { RecordState } from '../../kernel/record.ts';
import { type OwnerField, type Viewer, type Visibility, visibleTo } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { userColumn } from '../common/record-columns.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

type OwnerColumns = Readonly<Record<OwnerField, (value: string | null) => Sql>>;

const OF_RECORDS: OwnerColumns = {
  agent: (name) => sql`r.agent = ${name}`,
  // The index of users leaves out what is about nobody, and is used only where that is said.
  user: (id) =>
    id === null ? raw("r.user_id = ''") : sql`(r.user_id = ${userColumn(id)} AND r.user_id <> '')`,
  // Written out and not bound, or the partial indexes of shared records could not be used.
  scope: (scope) => raw(`r.scope = '${scope}'`),
};

/** The index of words has a flag instead: only shared records are visible by their scope. */
const OF_WORDS: OwnerColumns = {
  agent: (name) => sql`w.agent = ${name}`,
  user: (id) =>
    id === null ? raw("w.user_id = ''") : sql`(w.user_id = ${userColumn(id)} AND w.user_id <> '')`,
  scope: () => raw('w.shared'),
};

function visible(visibility: Visibility, columns: OwnerColumns): Sql {
  const alternatives = visibility.map((conditions) =>
    conditions.length === 0
      ? raw('TRUE')
      : joined(
          conditions.map(({ field, is }) => columns[field](is)),
          ' AND ',
        ),
  );
  return sql`(${joined(alternatives, ' OR ')})`;
}

/** Rows of the index of words that the viewer may see; the condition on the records themselves comes on top. */
export function wordsWhere(viewer: Viewer, { agent, user }: RecordFilter): Sql {
  const parts = [visible(visibleTo(viewer), OF_WORDS)];
  if (agent !== undefined) parts.push(OF_WORDS.agent(agent));
  if (user !== undefined) parts.push(OF_WORDS.user(user));
  return joined(parts, ' AND ');
}

/** Rows of the index of words that count for a viewer. */
export function countedWords(viewer: Viewer): Sql {
  return visible(visibleTo(viewer), OF_WORDS);
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

/** One condition for each filter that is given. */
function conditions(filter: RecordFilter): Sql[] {
  const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
    value === undefined ? [] : [condition(value)];
  return [
    ...when(filter.categories, (values) => sql`r.category = ANY(${values}::text[])`),
    ...when(filter.sources, (values) => sql`r.source = ANY(${values}::text[])`),
    ...when(filter.scopes, (values) => sql`r.scope = ANY(${values}::text[])`),
    ...when(filter.tags, (values) => sql`r.tags @> ${values}::text[]`),
    ...when(filter.agent, (value) => sql`r.agent = ${value}`),
    ...when(filter.user, OF_RECORDS.user),
    ...when(filter.minConfidence, (value) => sql`r.confidence >= ${value}::float8`),
    ...when(filter.createdSince, (value) => sql`r.created_at >= ${value}`),
    ...when(filter.createdBefore, (value) => sql`r.created_at < ${value}`),
    ...when(filter.thread, inThread),
    ...when(filter.threads, (values) => sql`r.thread = ANY(${values}::text[])`),
    // A record that changed after that time says something else today. One that never changed may be valid since before it
    // was stored.
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
  return joined(
    [visible(visibleTo(viewer), OF_RECORDS), inStates(states, now), ...conditions(filter)],
    ' AND ',
  );
}
