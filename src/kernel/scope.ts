/** Decides who may see and who may change a record, for every driver and surface. */

export const SCOPES = ['agent', 'swarm'] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ['admin', 'lead', 'worker', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The identity behind a call. It comes from the client or the connection, never from a tool's arguments. */
export interface Viewer {
  /** Absent for the owner of the workspace, who acts on no agent's behalf, and for a person without an agent. */
  readonly agent?: string;
  /** The person whom the call serves. */
  readonly user?: string;
  readonly role: Role;
}

export interface Owned {
  /** Empty for what was stored about a person without an agent. */
  readonly agent: string;
  /** The person that it is about; null for nobody in particular. */
  readonly user: string | null;
  readonly scope: Scope;
  readonly source?: string;
}

/** The fields of a record that decide who sees it. */
export type OwnerField = 'agent' | 'user' | 'scope';

/** Null is a value too: only records that are about nobody in particular. */
export type OwnerCondition =
  | { readonly field: 'agent' | 'scope'; readonly is: string }
  | { readonly field: 'user'; readonly is: string | null };

/**
 * Which records somebody may see, as data that each driver compiles into its own language (SQL, index tokens, filters): any
 * of these alternatives, each of which is all of its conditions. An alternative without conditions is every record.
 */
export type Visibility = readonly (readonly OwnerCondition[])[];

const SHARED: Scope = 'swarm';

/**
 * The rule itself. Without a user: your own records and the shared ones, as far as they are about nobody in particular. An
 * agent that serves a user also sees what it knows about that user, and what every agent of that user may know. A person
 * without an agent sees all that is about them. The owner of the workspace sees everything.
 */
export function visibleTo({ agent, user, role }: Viewer): Visibility {
  if (role === 'admin') return [[]];
  const shared: OwnerCondition = { field: 'scope', is: SHARED };
  const general: OwnerCondition = { field: 'user', is: null };
  const own: OwnerCondition[] = agent === undefined ? [] : [{ field: 'agent', is: agent }];
  const alternatives: OwnerCondition[][] = [];
  if (agent !== undefined) alternatives.push([...own, general]);
  if (user !== undefined) {
    const personal: OwnerCondition = { field: 'user', is: user };
    alternatives.push([...own, personal]);
    if (agent !== undefined) alternatives.push([shared, personal]);
  }
  return [...alternatives, [shared, general]];
}

export function isVisible(visibility: Visibility, record: Owned): boolean {
  return visibility.some((conditions) => conditions.every(({ field, is }) => record[field] === is));
}

export function maySee(viewer: Viewer, record: Owned): boolean {
  return isVisible(visibleTo(viewer), record);
}

/** Whether a record is visible to every agent (about a user: to every agent that serves them), and not only to its own. */
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
  // What holds for everybody is not changed on the word of one user.
  if (record.user !== (viewer.user ?? null)) return false;
  if (record.agent === viewer.agent) return true;
  // A person may change all that is about them, and every agent what all of them may know about that person.
  if (record.user !== null) return viewer.agent === undefined || isShared(record);
  return isShared(record) && viewer.role === 'lead';
}
