/** Lists files of a workspace that still contain a forgotten text, or that cannot be searched for it. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ForgottenText } from '../conversation/index.ts';
import type { Viewer } from '../kernel/scope.ts';
import type { WorkspacePaths } from '../workspace/index.ts';

/** Larger files are named instead of read. */
const MAX_BYTES = 8 * 1024 * 1024;
/** How exported archives begin. */
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Copies of a whole database, which are not searched: damaged ones that were set aside, and unfinished ones. */
const DATABASE_COPY =
  /^keepsake-(?:damaged|salvaged)-.*\.db(?:-wal|-shm)?$|\.partial(?:-wal|-shm|-journal)?$/;
/** The database itself, its journals and locks. */
const ENGINE_FILE = /\.(?:db|lock|sock)(?:-wal|-shm|-journal|\.lock)?$/;

/** One answer for each memory, in their order. Only files are named that the viewer may read. */
export async function filesThatHold(
  memories: readonly (readonly ForgottenText[])[],
  paths: WorkspacePaths,
  viewer: Viewer,
): Promise<string[][]> {
  const { root, database } = paths;
  const shown = (path: string): string => relative(root, path).replaceAll('\\', '/');
  const held = memories.map((): string[] => []);
  for (const path of await filesFor(viewer, paths)) {
    const isCopy = DATABASE_COPY.test(basename(path));
    if (path.startsWith(database) && !isCopy) continue;
    if (!isCopy && ENGINE_FILE.test(path)) continue;
    const text = isCopy ? undefined : await textOf(path);
    const name = isCopy
      ? `${shown(path)} (a copy of the database; older copies still contain it)`
      : shown(path);
    for (const [i, forgotten] of memories.entries())
      if (text === undefined || forgotten.some((one) => one.isIn(text))) held[i]!.push(name);
  }
  const backups = await backupsIn(root);
  return held.map((names) => [...names, ...backups]);
}

async function filesFor({ role, agent, user }: Viewer, paths: WorkspacePaths): Promise<Set<string>> {
  const { root, agentsFolder, dataFolder } = paths;
  if (role === 'admin')
    return new Set([
      ...(await filesIn(root)),
      ...(await filesBelow(agentsFolder)),
      ...(await filesBelow(dataFolder)),
    ]);
  if (agent === undefined) return new Set();
  if (user !== undefined) return new Set([paths.sectionsFile(agent, user)]);
  const own = [paths.agentFile(agent), paths.sectionsFile(agent)];
  return new Set([...own, ...(await filesBelow(paths.agentFolder(agent)))]);
}

/** Undefined for a file that is too large or too damaged to be read: it can hold everything. */
async function textOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size === 0) return '';
  if (found.size > MAX_BYTES) return undefined;
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  if (!bytes.subarray(0, 2).equals(GZIP)) return bytes.toString();
  const text = await promisify(gunzip)(bytes, { maxOutputLength: 8 * MAX_BYTES }).catch(() => undefined);
  return text?.toString();
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** A backup is a copy of everything at its time; what is in it goes when it is deleted. */
async function backupsIn(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'backups')).catch(() => []);
  const kept = names.filter((name) => !name.startsWith('.'));
  return kept.length === 0
    ? []
    : [
        `backups/ (${kept.length} earlier backups; they contain it if they were made before it was forgotten)`,
      ];
}
