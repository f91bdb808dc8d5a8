/** The filters of a query, applied to a record as it once was, which no index holds any more. */
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
    record.confidence >= (filter.minConfidence ?? 0) &&
    record.createdAt >= (filter.createdSince ?? 0) &&
    record.createdAt < (filter.createdBefore ?? Number.POSITIVE_INFINITY) &&
    (filter.pinned === undefined || record.pinned === filter.pinned) &&
    (filter.thread === undefined || record.thread === filter.thread)
  );
}
