/** Records are kept apart by who may see them and by where they come from, so that a search walks past none in vain. */
import { SOURCES, type Source } from '../../../kernel/record.ts';
import type { Scope, Viewer } from '../../../kernel/scope.ts';
import type { RecordFilter } from '../../../ports/record-store.ts';
import { silosFor } from '../vectors/vector-store.ts';

/** The silo of what is shared; no agent has an empty name. */
const SHARED_SILO = '';

const nameOf = (silo: string, source: Source): string => `${source} ${silo}`;

export function partitionOf({
  agent,
  scope,
  source,
}: {
  agent: string;
  scope: Scope;
  source: Source;
}): string {
  return nameOf(scope === 'swarm' ? SHARED_SILO : agent, source);
}

/** The partitions on which a viewer can find anything; undefined: all. */
export function partitionsFor(viewer: Viewer, filter: RecordFilter): string[] | undefined {
  const sources = filter.sources ?? SOURCES;
  return silosFor(viewer, filter)?.flatMap((silo) => sources.map((source) => nameOf(silo, source)));
}
