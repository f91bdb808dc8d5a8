/** The resident text index is divided by who may see a record and by its source, so that a search skips what cannot match. */
import { SOURCES, type Source } from '../../kernel/record.ts';
import { isShared, type Owned, type Viewer, type Visibility, visibleTo } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';
import {
  partitionsFor as ownerPartitions,
  partitionOf as ownPartition,
  userPartition,
} from '../common/partitions.ts';
import { ALL_BELOW } from '../search-kernels/text/inverted-index.ts';

const nameOf = (owner: string, source: Source): string => `${source} ${owner}`;

/** What only one agent knows about a user is apart, because words are counted by partition. */
const privateOf = (user: string, agent: string): string => `${userPartition(user)}${ALL_BELOW}${agent}`;

export function partitionOf(record: Pick<Owned, 'agent' | 'user' | 'scope'> & { source: Source }): string {
  const { user, agent, source } = record;
  const owner = user === null || isShared(record) ? ownPartition(record) : privateOf(user, agent);
  return nameOf(owner, source);
}

/** The partitions in which a viewer can find anything; undefined: all. */
export function partitionsFor(viewer: Viewer, filter: RecordFilter): string[] | undefined {
  const visibility = visibleTo(viewer);
  const owners = ownerPartitions(viewer, filter)?.flatMap((owner) => finer(owner, visibility));
  const sources = filter.sources ?? SOURCES;
  return owners?.flatMap((owner) => sources.map((source) => nameOf(owner, source)));
}

/** All partitions about a user, or those of them that the viewer may see. */
function finer(owner: string, visibility: Visibility): string[] {
  for (const conditions of visibility) {
    const required = new Map(conditions.map(({ field, is }) => [field, is]));
    const [user, agent] = [required.get('user'), required.get('agent')];
    if (typeof user !== 'string' || typeof agent !== 'string' || owner !== userPartition(user)) continue;
    return [owner, privateOf(user, agent)];
  }
  return owner.startsWith(userPartition('')) ? [owner, `${owner}${ALL_BELOW}`] : [owner];
}
