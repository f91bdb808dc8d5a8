/** Rebuilds every index from the stored rows. */
import type { ReindexOptions, ReindexReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';

export type { ReindexReport };

export function workspaceReindex(
  { storage }: { readonly storage: Storage },
  { onProgress }: Pick<ReindexOptions, 'onProgress'> = {},
): Promise<ReindexReport> {
  return storage.maintenance.reindex({ onProgress });
}
