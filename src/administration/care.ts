/** Backup and restore of a workspace's database; a restore also works on one that cannot be opened any more. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { restoreStorage } from '../config/index.ts';
import type { BackupProgress, BackupReport, RestoreReport } from '../ports/maintenance.ts';
import type { Storage } from '../ports/storage.ts';
import { hideIfNew, makeHiddenFolder } from '../workspace/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export interface BackupOptions {
  /** Root of the workspace, in whose folder `backups` a file without a name ends up. */
  readonly root: string;
  readonly file?: string | undefined;
  /** Part of the default name. */
  readonly label: string;
  readonly onProgress?: (progress: BackupProgress) => void;
}

export interface RestoreWorkspaceOptions extends WorkspaceTarget {
  readonly file: string;
  /** Part of the name under which the present content is kept. */
  readonly label: string;
  readonly now: number;
}

export interface RestoredWorkspace extends RestoreReport {
  readonly database: string;
}

/** A name in `backups` that is still free. */
function freeName(root: string, base: string): string {
  for (let attempt = 1; ; attempt++) {
    const file = join(root, 'backups', attempt === 1 ? `${base}.db` : `${base}-${attempt}.db`);
    if (!existsSync(file)) return file;
  }
}

export function workspaceBackup(
  { storage }: { readonly storage: Storage },
  { root, file, label, onProgress }: BackupOptions,
): Promise<BackupReport> {
  if (file !== undefined) return storage.maintenance.backup(resolve(file), onProgress);
  const target = freeName(root, `keepsake-${label}`);
  return hideIfNew(dirname(target), () => storage.maintenance.backup(target, onProgress));
}

export async function workspaceRestore({
  file,
  label,
  now,
  ...target
}: RestoreWorkspaceOptions): Promise<RestoredWorkspace> {
  const { root, config, paths } = locate(target);
  const place = { storage: config.storage, database: paths.database };
  const keepAs = freeName(root, `before-restore-${label}`);
  makeHiddenFolder(dirname(keepAs));
  return { ...(await restoreStorage(place, resolve(file), { now, keepAs })), database: paths.database };
}
