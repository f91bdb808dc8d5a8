/** The MEMORY.md files of a tree and the archives beside them, with the agents that their folders name. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

export interface Transcript {
  readonly file: string;
  readonly agent: string;
  /** Archives beside the file, oldest first. */
  readonly archives: readonly string[];
}

const NAME = 'MEMORY.md';
const ARCHIVE = /^history_.*\.md$/;

/** The folder of one agent, a folder of such folders, or a workspace with them in `agents`. */
export async function findTranscripts(folder: string): Promise<readonly Transcript[]> {
  const root = resolve(folder);
  const candidates: Omit<Transcript, 'archives'>[] = [{ file: join(root, NAME), agent: basename(root) }];
  for (const parent of [root, join(root, 'agents')]) {
    // A folder that is missing or may not be listed holds nothing for us.
    const names = await readdir(parent).catch((): string[] => []);
    candidates.push(...names.sort().map((agent) => ({ file: join(parent, agent, NAME), agent })));
  }
  const there = await Promise.all(candidates.map(({ file }) => stat(file).catch(() => undefined)));
  const found = candidates.filter((_, i) => there[i]?.isFile() === true);
  return Promise.all(found.map(async (each) => ({ ...each, archives: await archivesBeside(each.file) })));
}

/** Their names are times, so that their order is that of the alphabet. */
async function archivesBeside(file: string): Promise<string[]> {
  const folder = join(dirname(file), 'archive');
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => ARCHIVE.test(name))
    .sort()
    .map((name) => join(folder, name));
}
