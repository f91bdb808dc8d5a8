/** Indexes keep records apart by who may see them: the private ones of each agent, the shared ones, and those of each user. */
import { isShared, type Owned, type Viewer, type Visibility, visibleTo } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';

/** The partition of shared records; no agent has an empty name. */
export const SHARED_PARTITION = '';
/** No name of an agent begins with this. */
const OF_USER = '@';

/** All that is about a user is in one partition, whichever agent stored it: that is little, and a reader drops what is not theirs. */
export function partitionOf(record: Pick<Owned, 'agent' | 'user' | 'scope'>): string {
  if (record.user !== null) return userPartition(record.user);
  return isShared(record) ? SHARED_PARTITION : record.agent;
}

export const userPartition = (user: string): string => `${OF_USER}${user}`;

/** The same in SQL, of a table of records that is called `r`. */
export const PARTITION_OF_ROW = `CASE WHEN r.user_id <> '' THEN '${OF_USER}' || r.user_id
  WHEN r.scope = 'swarm' THEN '${SHARED_PARTITION}' ELSE r.agent END`;

/** The partitions in which a viewer can find anything that passes the filter; undefined: all. */
export function partitionsFor(viewer: Viewer, filter: RecordFilter): string[] | undefined {
  const partitions = visiblePartitions(visibleTo(viewer), filter);
  return partitions && [...new Set(partitions)];
}

function visiblePartitions(visibility: Visibility, filter: RecordFilter): string[] | undefined {
  const { agent, user, scopes } = filter;
  const wants = (shared: boolean): boolean =>
    scopes === undefined || scopes.some((scope) => isShared({ scope }) === shared);
  const partitions: string[] = [];
  for (const conditions of visibility) {
    const required = new Map<string, string | null>(conditions.map(({ field, is }) => [field, is]));
    const [owner, about] = [
      required.get('agent') ?? agent,
      required.has('user') ? required.get('user') : user,
    ];
    if (user !== undefined && about !== user) continue;
    if (agent !== undefined && owner !== agent) continue;
    if (typeof about === 'string') partitions.push(userPartition(about));
    // Of any agent, or about any user.
    else if (about === undefined) return undefined;
    else if (required.has('scope')) partitions.push(...(wants(true) ? [SHARED_PARTITION] : []));
    else if (owner === undefined) return undefined;
    else partitions.push(...(wants(false) ? [owner] : []), ...(wants(true) ? [SHARED_PARTITION] : []));
  }
  return partitions;
}
