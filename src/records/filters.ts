/** Turns the filters of a call into those of a store. */
import { defined } from '../kernel/defined.ts';
import type { RecordFilter } from '../ports/record-store.ts';
import type { Filters } from './inputs.ts';

export function toFilter(filters: Filters): RecordFilter {
  const { category, categories, source, scope, since, before, tags, minConfidence, pinned, thread } = filters;
  const wanted = category === undefined ? categories : [...(categories ?? []), category];
  return defined({
    categories: wanted,
    sources: source === undefined ? undefined : [source],
    scopes: scope === undefined ? undefined : [scope],
    tags,
    minConfidence,
    createdSince: since,
    createdBefore: before,
    pinned,
    thread,
  });
}
