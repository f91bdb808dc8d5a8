/** Compiles who may see a record, and the filters on top of it, into SQL. */
import { analyze } from '../../kernel/analysis.ts';
import type { RecordState, Source } from '../../kernel/record.ts';
import {
  type OwnerCondition,
  type OwnerField,
  type Viewer,
  type Visibility,
  visibleTo,
} from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { userColumn } from '../common/record-columns.ts';
import { labelExpression } from './match-expression.ts';

type Value = string | number;

/** More categories than this are searched in one part. */
const MAX_BRANCHES = 8;
const DOCUMENT: Source = 'knowledge';

export interface Where {
  readonly sql: string;
  readonly values: readonly Value[];
}

const OWNER: Readonly<Record<OwnerField, (value: string | null) => Where>> = {
  agent: (name) => ({ sql: 'r.agent = ?', values: [name ?? ''] }),
  user: aboutUser,
  // Written out and not bound, or the partial indexes of shared records could not be used.
  scope: (scope) => ({ sql: `r.scope = '${scope}'`, values: [] }),
};

function aboutUser(user: string | null): Where {
  // The index of users leaves out what is about nobody; SQLite uses it only where that is said.
  const isSomebody = user === null ? '' : " AND r.user_id <> ''";
  return { sql: `r.user_id = ?${isSomebody}`, values: [userColumn(user)] };
}

/** One alternative of what somebody may see. */
export function ownedBy(conditions: readonly OwnerCondition[]): Where {
  if (conditions.length === 0) return { sql: 'TRUE', values: [] };
  return all(conditions.map(({ field, is }) => OWNER[field](is)));
}

function visible(visibility: Visibility): Where {
  const alternatives = visibility.map(ownedBy);
  return {
    sql: `(${alternatives.map(({ sql }) => sql).join(' OR ')})`,
    values: alternatives.flatMap(({ values }) => values),
  };
}

/** The same in parts that have no record in common, so that each can use an index of its own. */
function visibleParts(visibility: Visibility): Where[] {
  const alternatives = visibility.map(ownedBy);
  return alternatives.map((part, i) => all([part, ...alternatives.slice(0, i).map(not)]));
}

const not = ({ sql, values }: Where): Where => ({ sql: `NOT (${sql})`, values });

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

/** A record that changed after that time says something else today. One that never changed may be valid since before it was stored. */
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

/** The only source with an index of its own is written out and not bound, or that index could not be used. */
function fromSources(sources: RecordFilter['sources']): Where[] {
  if (sources?.length === 1 && sources[0] === DOCUMENT)
    return [{ sql: `r.source = '${DOCUMENT}'`, values: [] }];
  return oneOf('r.source', sources);
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
  return all([visible(visibleTo(viewer)), ...filtered(filter, states, now)]);
}

/**
 * The same in parts that have no record in common. An index finds each of them in the order of row numbers, or, where the
 * order does not matter, by the time of creation too.
 */
export function recordBranches(
  viewer: Viewer,
  filter: RecordFilter,
  states: readonly RecordState[],
  now: number,
  { inOrder }: { readonly inOrder: boolean },
): Where[] {
  const visibility = visibleTo(viewer);
  const parts = filter.agent === undefined ? visibleParts(visibility) : partsOfAgent(visibility);
  return byCategory(filter).flatMap((each) => {
    const rest = [...filtered(each, states, now, inOrder ? '+' : ''), ...labelled(viewer, each)];
    return parts.map((part) => all([part, ...rest]));
  });
}

/** A filter by agent uses the index of that agent, with each user whose records are visible. */
function partsOfAgent(visibility: Visibility): Where[] {
  const users = visibility.map((conditions) => conditions.find(({ field }) => field === 'user')?.is);
  if (users.includes(undefined)) return [visible(visibility)];
  return [...new Set(users)].map((user) => all([visible(visibility), aboutUser(user ?? null)]));
}

/** One part for each of a few categories: an index returns each in order. */
function byCategory(filter: RecordFilter): RecordFilter[] {
  const categories = [...new Set(filter.categories ?? [])];
  if (categories.length === 0 || categories.length > MAX_BRANCHES) return [filter];
  return categories.map((category) => ({ ...filter, categories: [category] }));
}

/** Whether a filter may leave few records that an index finds. */
export function isNarrow(viewer: Viewer, filter: RecordFilter): boolean {
  if (labelled(viewer, filter).length > 0) return true;
  // The indexes begin with the agent or the user.
  const fields = visibleTo(viewer).flatMap((conditions) => conditions.map(({ field }) => field));
  if (filter.agent === undefined && !fields.includes('agent') && !fields.includes('user')) return false;
  const { categories, createdSince, createdBefore, thread, pinned } = filter;
  const limits = [categories, createdSince, createdBefore, thread];
  return limits.some((limit) => limit !== undefined) || pinned === true;
}

/** Tags that consist of words only, so that the text index is sure to find them. */
const PLAIN_TAG = /^[\p{L}\p{N}]+(?:[ ._:/-][\p{L}\p{N}]+)*$/u;

/** Uses the text index to find the records that may have the tags. */
function labelled(viewer: Viewer, filter: RecordFilter): Where[] {
  const { tags = [] } = filter;
  const words = tags.filter((tag) => PLAIN_TAG.test(tag)).flatMap((tag) => analyze(tag));
  if (words.length === 0) return [];
  return [
    {
      sql: 'r.rid IN (SELECT rowid FROM records_text WHERE records_text MATCH ?)',
      values: [labelExpression(words, viewer, filter)],
    },
  ];
}

function all(parts: readonly Where[]): Where {
  return { sql: parts.map((part) => part.sql).join(' AND '), values: parts.flatMap((part) => part.values) };
}

/** A plus before a column keeps SQLite from using an index on it. */
function filtered(
  filter: RecordFilter,
  states: readonly RecordState[],
  now: number,
  byTime: '+' | '' = '',
): Where[] {
  return [
    inStates(states, now),
    ...oneOf('r.category', filter.categories),
    ...fromSources(filter.sources),
    ...oneOf('r.scope', filter.scopes),
    ...(filter.tags ?? []).map((tag) => ({
      sql: 'EXISTS (SELECT 1 FROM json_each(r.tags) t WHERE t.value = ?)',
      values: [tag],
    })),
    ...compare('r.agent = ?', filter.agent),
    ...(filter.user === undefined ? [] : [aboutUser(filter.user)]),
    ...compare('r.confidence >= ?', filter.minConfidence),
    ...compare(`${byTime}r.created_at >= ?`, filter.createdSince),
    ...compare(`${byTime}r.created_at < ?`, filter.createdBefore),
    ...compare('r.thread = ?', filter.thread),
    // One value however many they are: SQLite binds no more than a few thousand.
    ...compare(
      'r.thread IN (SELECT value FROM json_each(?))',
      filter.threads === undefined ? undefined : JSON.stringify(filter.threads),
    ),
    ...(filter.heldAt === undefined ? [] : [heldAt(filter.heldAt)]),
    // Not bound, or the index of pinned records could not be used.
    ...(filter.pinned === undefined ? [] : [{ sql: `r.pinned = ${Number(filter.pinned)}`, values: [] }]),
  ];
}
