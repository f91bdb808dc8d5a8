/** Who may see and change a record: one pair of predicates for every driver and every surface. */

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

export function maySee(viewer: Viewer, record: Owned): boolean {
  return viewer.role === 'admin' || record.scope === 'swarm' || record.agent === viewer.agent;
}

export function mayChange(viewer: Viewer, record: Owned): boolean {
  if (viewer.role === 'reader') return false;
  if (viewer.role === 'admin') return true;
  // What a swarm came to is only added to: not even its author rewrites it.
  if (record.source === 'swarm_result' && viewer.role !== 'lead') return false;
  if (record.agent === viewer.agent) return true;
  return viewer.role === 'lead' && record.scope === 'swarm';
}
