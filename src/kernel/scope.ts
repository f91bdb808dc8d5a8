/** Who may see and who may change a record. Every driver and every surface asks here. */

export const SCOPES = ['agent', 'swarm'] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['admin', 'lead', 'worker', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The identity behind a call. It comes from the client or the connection, never from a tool's arguments. */
export interface Viewer {
  /** Absent for the owner of the workspace, who acts on no agent's behalf. */
  readonly agent?: string;
  readonly role: Role;
}

export interface Owned {
  readonly agent: string;
  readonly scope: Scope;
  readonly source?: string;
}

/** The fields of a record that decide who sees it. */
export type OwnerField = 'agent' | 'scope';

export interface OwnerCondition {
  readonly field: OwnerField;
  readonly is: string;
}

/**
 * Which records somebody may see, as data that each driver compiles into its own language (SQL, index tokens, filters): any
 * of these alternatives, each of which is all of its conditions. An alternative without conditions is every record.
 */
export type Visibility = readonly (readonly OwnerCondition[])[];

const SHARED: Scope = 'swarm';

/** The rule itself: your own records and the shared ones; the owner of the workspace sees all. */
export function visibleTo({ agent, role }: Viewer): Visibility {
  if (role === 'admin') return [[]];
  const shared: OwnerCondition = { field: 'scope', is: SHARED };
  return agent === undefined ? [[shared]] : [[{ field: 'agent', is: agent }], [shared]];
}

export function isVisible(visibility: Visibility, record: Owned): boolean {
  return visibility.some((conditions) => conditions.every(({ field, is }) => record[field] === is));
}

export function maySee(viewer: Viewer, record: Owned): boolean {
  return isVisible(visibleTo(viewer), record);
}

/** Whether a record is visible to every agent, and not only to its own. */
export function isShared({ scope }: Pick<Owned, 'scope'>): boolean {
  return scope === SHARED;
}

/** The source of swarm results, which the engine alone writes: what every later swarm is shown must not be forged. */
const ENGINE_SOURCE = 'swarm_result';

/** Whether somebody may add a record of this source. */
export function mayAdd({ role }: Viewer, source: string): boolean {
  return role === 'admin' || (role !== 'reader' && source !== ENGINE_SOURCE);
}

export function mayChange(viewer: Viewer, record: Owned): boolean {
  if (viewer.role === 'reader') return false;
  if (viewer.role === 'admin') return true;
  if (record.source === ENGINE_SOURCE) return false;
  if (record.agent === viewer.agent) return true;
  return viewer.role === 'lead' && isShared(record);
}
