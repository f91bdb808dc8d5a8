/** Finds temporary files that killed processes left behind; they contain memories, so doctor lists and removes them. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sweepTemporaryFiles } from '../documents/index.ts';
import { HOUR, systemClock } from '../kernel/clock.ts';
import type { Finding } from '../ports/maintenance.ts';
import { USER_FOLDER, type WorkspacePaths } from '../workspace/index.ts';

const TEMPORARY = /^\.keepsake-.*\.tmp$/;
/** An unfinished backup, and what SQLite puts beside it. Those beside the database are the business of its driver. */
const PARTIAL = /\.[0-9a-f]{12}\.partial(?:-wal|-shm|-journal)?$/;
/** A folder in which an import keeps the file that it is reading. */
const IMPORT = /^import-[A-Za-z0-9]{6}$/;
/** What is written to is younger; what is older belongs to a process that died. */
const ABANDONED_AFTER = HOUR;
const SHOWN = 10;

interface Place {
  readonly root: string;
  readonly paths: Pick<WorkspacePaths, 'agentsFolder' | 'dataFolder'>;
}

/** Synchronous, like all looking at files: the thread pool would cost a short command several milliseconds. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function namesIn(folder: string, pattern: RegExp): string[] {
  const names = entriesOf(folder).map(({ name }) => name);
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

/** Folders that may hold documents: root, data, the agents' folder, and one level of agents with their own folders. */
function documentFolders({ root, paths }: Place, most?: number): string[] {
  const { agentsFolder, dataFolder } = paths;
  const own = entriesOf(agentsFolder)
    .filter((entry) => entry.isDirectory())
    .slice(0, most)
    .map(({ name }) => join(agentsFolder, name));
  const below = ['notes', 'archive', 'exports', USER_FOLDER];
  const ofAgents = own.flatMap((folder) => [folder, ...below.map((name) => join(folder, name))]);
  return [...new Set([root, dataFolder, agentsFolder, ...ofAgents])];
}

function isOld(path: string, now: number): boolean {
  try {
    return statSync(path).mtimeMs < now - ABANDONED_AFTER;
  } catch {
    return false;
  }
}

/** Undefined if it cannot be read. */
function contentOf(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/** Of imports and backups, which have no name of a writer: those that nobody has written to for an hour. */
function abandoned({ root, paths }: Place, now: number): string[] {
  const old: string[] = [];
  for (const path of namesIn(join(root, 'backups'), PARTIAL)) if (isOld(path, now)) old.push(path);
  for (const folder of namesIn(paths.dataFolder, IMPORT)) {
    const names = contentOf(folder);
    if (names === undefined || names.some((name) => name !== 'file')) continue;
    if (isOld(names.length === 0 ? folder : join(folder, 'file'), now)) old.push(folder);
  }
  return old;
}

export interface SweepOptions {
  /** The clock of the file system: files carry its times. */
  readonly now?: number;
  /** How many agents have their folders looked through. Default: all. */
  readonly agents?: number;
}

/** Removes what processes left behind that are certainly gone, and answers with how many files that were. */
export async function sweepLeftovers(workspace: Place, options: SweepOptions = {}): Promise<number> {
  const { now = systemClock.now(), agents } = options;
  let removed = 0;
  for (const folder of documentFolders(workspace, agents))
    removed += (await sweepTemporaryFiles(folder, { clock: { now: () => now } })).length;
  const ofDatabase: string[] = [];
  for (const path of namesIn(workspace.paths.dataFolder, PARTIAL))
    if (isOld(path, now)) ofDatabase.push(path);
  for (const path of [...abandoned(workspace, now), ...ofDatabase]) {
    await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}

export async function examineLeftovers(
  workspace: Place,
  { fix, now }: { readonly fix: boolean; readonly now: number },
): Promise<Finding[]> {
  const found: string[] = [];
  for (const folder of documentFolders(workspace)) found.push(...namesIn(folder, TEMPORARY));
  found.push(...abandoned(workspace, now));
  const removed = fix ? await sweepLeftovers(workspace, { now }) : 0;
  const check = 'files.leftovers';
  if (found.length === 0) return [{ check, severity: 'ok', message: 'No temporary files were left behind.' }];
  const names = found.slice(0, SHOWN).map((path) => relative(workspace.root, path).replaceAll('\\', '/'));
  const more = found.length > SHOWN ? `, and ${found.length - SHOWN} more` : '';
  const what = `${found.length} temporary ${found.length === 1 ? 'file' : 'files'}`;
  const fixed = removed >= found.length;
  const hint = 'Run "keepsake doctor --fix" to remove those whose process has ended.';
  return [
    {
      ...{ check, severity: 'notice', fixable: true, fixed },
      message: `${what} of an interrupted or running write: ${names.join(', ')}${more}.`,
      ...(fixed ? {} : { hint }),
    },
  ];
}
