/** Rewrites the whole storage, so that it contains no forgotten text. */
import type { VacuumReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';

export type { VacuumReport };

export function workspaceVacuum({ storage }: { readonly storage: Storage }): Promise<VacuumReport> {
  return storage.maintenance.vacuum();
}
