/** Turns the filters of a call into those of a store. */
import { defined } from '../kernel/defined.ts';
import type { RecordFilter } from '../ports/record-store.ts';
import type { Filters } from './inputs.ts';

export function toFilter(filters: Filters): RecordFilter {
  const { category, categories, scope, since, before, minConfidence, pinned, thread } = filters;
  const wanted = category === undefined ? categories : [...(categories ?? []), category];
  return defined({
    categories: wanted,
    scopes: scope === undefined ? undefined : [scope],
    ...ofSwarm(filters),
    minConfidence,
    createdSince: since,
    createdBefore: before,
    pinned,
    thread,
  });
}

/** The engine alone stores results, and tags each with the type of its swarm, so that every store can filter by it. */
function ofSwarm({ source, swarmType, tags }: Filters): Pick<RecordFilter, 'sources' | 'tags'> {
  const sources = source === undefined ? undefined : [source];
  if (swarmType === undefined) return defined({ sources, tags });
  const results = (sources ?? ['swarm_result' as const]).filter((each) => each === 'swarm_result');
  return { sources: results, tags: [...(tags ?? []), swarmType] };
}
