/** Indexes keep records apart by who may see them: the private ones of each agent, and the shared ones of all. */
import { isShared, type Owned, type Viewer, type Visibility, visibleTo } from '../../kernel/scope.ts';
import type { RecordFilter } from '../../ports/record-store.ts';

/** The partition of shared records; no agent has an empty name. */
export const SHARED_PARTITION = '';

export function partitionOf(record: Pick<Owned, 'agent' | 'scope'>): string {
  return isShared(record) ? SHARED_PARTITION : record.agent;
}

/** The same in SQL, of a table of records that is called `r`. */
export const PARTITION_OF_ROW = `CASE r.scope WHEN 'swarm' THEN '${SHARED_PARTITION}' ELSE r.agent END`;

/** The partitions in which a viewer can find anything that passes the filter; undefined: all. */
export function partitionsFor(viewer: Viewer, { agent, scopes }: RecordFilter): string[] | undefined {
  const wants = (shared: boolean): boolean =>
    scopes === undefined || scopes.some((scope) => isShared({ scope }) === shared);
  const shared = wants(true) ? [SHARED_PARTITION] : [];
  if (!wants(false)) return shared;
  const owners = ownersIn(visibleTo(viewer), agent);
  return owners && [...owners, ...shared];
}

/** The agents whose private records are among the visible ones, or only the wanted one of them; undefined: all agents. */
function ownersIn(visibility: Visibility, wanted: string | undefined): string[] | undefined {
  const owners: string[] = [];
  for (const conditions of visibility) {
    const required = new Map(conditions.map(({ field, is }) => [field, is]));
    if (required.has('scope')) continue;
    const owner = required.get('agent') ?? wanted;
    if (owner === undefined) return undefined;
    if (wanted === undefined || owner === wanted) owners.push(owner);
  }
  return owners;
}
