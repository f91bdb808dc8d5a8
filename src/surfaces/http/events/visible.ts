/** Decides which events a caller may see, by the same rules as for records. */
import type { KeepsakeEvent } from '../../../kernel/events.ts';
import { maySee, type Viewer } from '../../../kernel/scope.ts';

/** Events that name no scope are as private as the agent they are about; those about no agent are for the owner. */
export function mayHear(viewer: Viewer, event: KeepsakeEvent): boolean {
  if (viewer.role === 'admin') return true;
  if (event.agent === undefined) return false;
  const scope = event.type === 'memory.wrote' ? event.scope : 'agent';
  return maySee(viewer, { agent: event.agent, user: event.user ?? null, scope });
}

/** Why the guard refused a text is for the owner: whoever wrote it would learn how to get past. */
export function shownTo({ role }: Viewer): (event: KeepsakeEvent) => KeepsakeEvent {
  return (event) => {
    if (role === 'admin' || event.type !== 'memory.blocked') return event;
    const { quarantineId: _, ...rest } = event;
    return { ...rest, reasons: [] };
  };
}
