/** The one predicate that decides which rows a viewer sees, and the filters on top of it. Values are always bound. */
import { analyze } from '../../kernel/analysis.ts';
import type { RecordState, Source } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { labelExpression } from './match-expression.ts';

type Value = string | number;

/** More categories at once are looked for in one go. */
const MAX_BRANCHES = 8;
const DOCUMENT: Source = 'knowledge';

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

/** Documents alone are named and not bound, or the index of them could not be used. */
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
  return all([visible(viewer), ...filtered(filter, states, now)]);
}

/**
 * The same in parts that have no record in common, each of which an index can answer in the order of row numbers, or, where
 * the order is of no consequence, by the time of their creation too.
 */
export function recordBranches(
  viewer: Viewer,
  filter: RecordFilter,
  states: readonly RecordState[],
  now: number,
  { inOrder }: { readonly inOrder: boolean },
): Where[] {
  return byCategory(filter).flatMap((part) => {
    const rest = [...filtered(part, states, now, inOrder ? '+' : ''), ...labelled(viewer, part)];
    return silosOf(viewer, part).map((silo) => all([silo, ...rest]));
  });
}

function silosOf(viewer: Viewer, filter: RecordFilter): Where[] {
  const { agent, role } = viewer;
  if (role === 'admin' || agent === undefined || filter.agent !== undefined) return [visible(viewer)];
  return [
    { sql: 'r.agent = ?', values: [agent] },
    { sql: "r.scope = 'swarm' AND r.agent <> ?", values: [agent] },
  ];
}

/** Each of a few categories is in order by itself. */
function byCategory(filter: RecordFilter): RecordFilter[] {
  const categories = [...new Set(filter.categories ?? [])];
  if (categories.length === 0 || categories.length > MAX_BRANCHES) return [filter];
  return categories.map((category) => ({ ...filter, categories: [category] }));
}

/** Whether a filter may leave few records, and an index tells which. */
export function isNarrow(viewer: Viewer, filter: RecordFilter): boolean {
  if (labelled(viewer, filter).length > 0) return true;
  if (viewer.agent === undefined && filter.agent === undefined) return false;
  const { categories, createdSince, createdBefore, thread, pinned } = filter;
  return [categories, createdSince, createdBefore, thread].some(defined) || pinned === true;
}

const defined = (value: unknown): boolean => value !== undefined;

/** Tags whose words are their own whole spelling, so that the text index finds them for sure. */
const PLAIN_TAG = /^[\p{L}\p{N}]+(?:[ ._:/-][\p{L}\p{N}]+)*$/u;

/** Where the text index leads to the records that may have the tags. */
function labelled(viewer: Viewer, { tags = [], agent }: RecordFilter): Where[] {
  const words = tags.filter((tag) => PLAIN_TAG.test(tag)).flatMap((tag) => analyze(tag));
  if (words.length === 0) return [];
  return [
    {
      sql: 'r.rid IN (SELECT rowid FROM records_text WHERE records_text MATCH ?)',
      values: [labelExpression(words, viewer, agent)],
    },
  ];
}

function all(parts: readonly Where[]): Where {
  return { sql: parts.map((part) => part.sql).join(' AND '), values: parts.flatMap((part) => part.values) };
}

/** A plus before a column keeps SQLite from finding records by it. */
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
    ...compare('r.confidence >= ?', filter.minConfidence),
    ...compare(`${byTime}r.created_at >= ?`, filter.createdSince),
    ...compare(`${byTime}r.created_at < ?`, filter.createdBefore),
    ...compare('r.thread = ?', filter.thread),
    ...(filter.heldAt === undefined ? [] : [heldAt(filter.heldAt)]),
    // Not bound, or the index of those that are pinned could not be used.
    ...(filter.pinned === undefined ? [] : [{ sql: `r.pinned = ${Number(filter.pinned)}`, values: [] }]),
  ];
}
