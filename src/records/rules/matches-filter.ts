/** Applies the filters of a query in memory: to a record that was read already, or to an earlier version of one. */
import { defined } from '../../kernel/defined.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { RecordFilter } from '../../ports/record-store.ts';

export function matchesFilter(record: MemoryRecord, filter: RecordFilter): boolean {
  const among = (values: readonly string[] | undefined, value: string): boolean =>
    values === undefined || values.includes(value);
  return (
    among(filter.categories, record.category) &&
    among(filter.sources, record.source) &&
    among(filter.scopes, record.scope) &&
    (filter.tags ?? []).every((tag) => record.tags.includes(tag)) &&
    (filter.agent === undefined || record.agent === filter.agent) &&
    (filter.user === undefined || record.user === filter.user) &&
    (filter.minConfidence === undefined || record.confidence >= filter.minConfidence) &&
    (filter.createdSince === undefined || record.createdAt >= filter.createdSince) &&
    (filter.createdBefore === undefined || record.createdAt < filter.createdBefore) &&
    (filter.pinned === undefined || record.pinned === filter.pinned) &&
    (filter.thread === undefined || record.thread === filter.thread) &&
    (filter.threads === undefined || isIn(filter.threads, record.thread)) &&
    (filter.heldAt === undefined || heldAt(record, filter.heldAt))
  );
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Of a list that may have thousands of names and is asked about thousands of records. */
function isIn(names: readonly string[], name: string | null): boolean {
  let set = sets.get(names);
  if (set === undefined) {
    set = new Set(names);
    sets.set(names, set);
  }
  return name !== null && set.has(name);
}

/** A record that changed after that time says something else today. One that never changed may be valid since before it was stored. */
function heldAt({ validFrom, createdAt, updatedAt, version }: MemoryRecord, time: number): boolean {
  return (validFrom ?? createdAt) <= time && (updatedAt <= time || version === 1);
}

/** Engines replace lone surrogates, which are not text, with U+FFFD when they store them; so a filter must ask for that. */
export function asStored({ categories, tags, thread, threads, ...filter }: RecordFilter): RecordFilter {
  const all = (values: readonly string[] | undefined) => values?.map((each) => each.toWellFormed());
  return {
    ...filter,
    ...defined({ categories: all(categories), tags: all(tags) }),
    ...defined({ thread: thread?.toWellFormed(), threads: all(threads) }),
  };
}
