/** Backs up and restores a workspace, also if its database can no longer be opened. */
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { configuredPlace, describePlace, restoreStorage, type StorageConfig } from '../config/index.ts';
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

interface BackedUp {
  readonly storage: Storage;
  readonly config: { readonly storage: StorageConfig };
}

export interface RestoredWorkspace extends RestoreReport {
  /** Without a password. */
  readonly database: string;
  /** Files of the workspace that were missing and were brought back, below its root. */
  readonly files: readonly string[];
}

/** A name in `backups` that is still free. */
function freeName(root: string, base: string, driver: string): string {
  const extension = driver === 'sqlite' ? 'db' : 'dump';
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? base : `${base}-${attempt}`;
    const file = join(root, 'backups', `${name}.${extension}`);
    if (!existsSync(file)) return file;
  }
}

/** What a database with a server does not hold, and what a new machine needs to continue: settings, agents, keys, receipts. */
const OWN_FILES = [
  ...['keepsake.jsonc', 'keepsake.json', 'agents'],
  ...['keys.json', 'server.key', 'erasures'].map((name) => join('data', name)),
];

/** Beside the dump. Of a database in a file it is not made: that file is in the same folder as these. */
const filesBeside = (dump: string): string => `${dump}.files`;

function copyOwnFiles(root: string, target: string): string {
  mkdirSync(target, { mode: 0o700 });
  for (const name of OWN_FILES) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(target, name), { recursive: true });
  }
  return target;
}

/** What is there stays as it is. */
function bringBackFiles(source: string, root: string): string[] {
  if (!existsSync(source)) return [];
  const missing = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((name) => !existsSync(join(root, name)));
  for (const name of missing) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    cpSync(join(source, name), join(root, name));
  }
  return missing;
}

export interface WorkspaceBackup extends BackupReport {
  /** The folder with settings, agents and keys, where the database is not a file of the workspace. */
  readonly files?: string;
}

export async function workspaceBackup(
  { storage, config }: BackedUp,
  { root, file, label, onProgress }: BackupOptions,
): Promise<WorkspaceBackup> {
  const { driver } = config.storage.records;
  const target = file === undefined ? freeName(root, `keepsake-${label}`, driver) : resolve(file);
  const copy = () => storage.maintenance.backup(target, onProgress);
  const report = await (file === undefined ? hideIfNew(dirname(target), copy) : copy());
  return driver === 'sqlite' ? report : { ...report, files: copyOwnFiles(root, filesBeside(target)) };
}

export async function workspaceRestore({
  file,
  label,
  now,
  ...target
}: RestoreWorkspaceOptions): Promise<RestoredWorkspace> {
  const { root, config, paths } = locate(target);
  const { driver } = config.storage.records;
  const place = { storage: config.storage, database: paths.database };
  const keepAs = freeName(root, `before-restore-${label}`, driver);
  makeHiddenFolder(dirname(keepAs));
  const report = await restoreStorage(place, resolve(file), { now, keepAs });
  const database =
    driver === 'sqlite' ? paths.database : describePlace(configuredPlace(config.storage, paths.database));
  return { ...report, database, files: bringBackFiles(filesBeside(resolve(file)), root) };
}
