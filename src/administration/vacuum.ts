/** Writes the whole storage again, so that nothing of what was forgotten is left in it. */
import type { VacuumReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';

export type { VacuumReport };

export function workspaceVacuum({ storage }: { readonly storage: Storage }): Promise<VacuumReport> {
  return storage.maintenance.vacuum();
}
