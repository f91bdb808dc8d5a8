/** Lets through the records of a cache that a query may find: live, visible, and of its filter. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isVisible, type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { asStored, matchesFilter } from '../../records/rules/matches-filter.ts';
import { isOver } from '../../records/rules/stored-records.ts';

export interface Passing {
  readonly viewer: Viewer;
  readonly filter: RecordFilter;
  readonly now: number;
}

type Read = (rid: number) => MemoryRecord | undefined;

/** Reads a record, if it passes. It may be shared with others who ask for it, so nobody may change it. */
export function passingReader({ viewer, filter, now }: Passing, get: Read): Read {
  const isUnfiltered = Object.keys(filter).length === 0;
  const wanted = asStored(filter);
  const visibility = visibleTo(viewer);
  return (rid) => {
    const record = get(rid);
    if (record === undefined || isOver(record.expiresAt, now) || !isVisible(visibility, record))
      return undefined;
    return isUnfiltered || matchesFilter(record, wanted) ? record : undefined;
  };
}
