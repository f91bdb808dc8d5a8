/** The resident text index is divided by who may see a record and by its source, so that a search skips what cannot match. */
import { SOURCES, type Source } from '../../kernel/record.ts';
import type { Scope, Viewer } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import { partitionOf as ownerPartition, partitionsFor as ownerPartitions } from '../common/partitions.ts';

const nameOf = (owner: string, source: Source): string => `${source} ${owner}`;

export function partitionOf(record: {
  agent: string;
  user: string | null;
  scope: Scope;
  source: Source;
}): string {
  return nameOf(ownerPartition(record), record.source);
}

/** The partitions in which a viewer can find anything; undefined: all. */
export function partitionsFor(viewer: Viewer, filter: RecordFilter): string[] | undefined {
  const sources = filter.sources ?? SOURCES;
  return ownerPartitions(viewer, filter)?.flatMap((owner) => sources.map((source) => nameOf(owner, source)));
}
