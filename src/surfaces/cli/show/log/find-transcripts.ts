/** The MEMORY.md files of a tree, with the agents that their folders name. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

export interface Transcript {
  readonly file: string;
  readonly agent: string;
}

const NAME = 'MEMORY.md';

/** The folder of one agent, a folder of such folders, or a workspace with them in `agents`. */
export async function findTranscripts(folder: string): Promise<readonly Transcript[]> {
  const root = resolve(folder);
  const candidates: Transcript[] = [{ file: join(root, NAME), agent: basename(root) }];
  for (const parent of [root, join(root, 'agents')]) {
    // A folder that is missing or may not be listed holds nothing for us.
    const names = await readdir(parent).catch((): string[] => []);
    candidates.push(...names.sort().map((agent) => ({ file: join(parent, agent, NAME), agent })));
  }
  const there = await Promise.all(candidates.map(({ file }) => stat(file).catch(() => undefined)));
  return candidates.filter((_, i) => there[i]?.isFile() === true);
}
