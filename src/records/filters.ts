/** What callers ask for, as the store understands it. */
import type { RecordFilter } from '../ports/record-store.ts';
import type { Filters } from './inputs.ts';

export function toFilter(filters: Filters): RecordFilter {
  const { category, categories, source, scope, since, before, tags, minConfidence, pinned, thread } = filters;
  const wanted = category === undefined ? categories : [...(categories ?? []), category];
  return withoutUndefined({
    categories: wanted,
    sources: source === undefined ? undefined : [source],
    scopes: scope === undefined ? undefined : [scope],
    tags,
    minConfidence,
    createdSince: since,
    createdBefore: before,
    pinned,
    thread,
  }) as RecordFilter;
}

/** `exactOptionalPropertyTypes` tells an absent key from an undefined one, and so does a patch. */
export function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
