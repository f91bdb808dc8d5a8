/** Rebuilds every index from the rows that it was made of. */
import { contentText, type MessageContent } from '../conversation/index.ts';
import type { ReindexOptions, ReindexReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';

export type { ReindexReport };

export function workspaceReindex(
  { storage }: { readonly storage: Storage },
  { onProgress }: Pick<ReindexOptions, 'onProgress'> = {},
): Promise<ReindexReport> {
  return storage.maintenance.reindex({
    textOf: (content) => contentText(content as MessageContent),
    onProgress,
  });
}
