/** Where copies of a forgotten memory are looked for: in the conversations of all agents, and beside the workspace. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConversationParts, redactCopies } from '../conversation/index.ts';
import type { Storage } from '../ports/storage.ts';
import type { WorkspacePaths } from '../workspace/index.ts';

interface Places {
  readonly storage: Pick<Storage, 'log'>;
  readonly paths: Pick<WorkspacePaths, 'root' | 'agentsFolder'>;
  readonly partsFor: (agent: string) => ConversationParts;
}

export async function forgetCopies(
  memory: { readonly id: string; readonly texts: readonly string[] },
  { storage, paths, partsFor }: Places,
): Promise<{ readonly redacted: number; readonly remains: readonly string[] }> {
  const threads = await storage.log.threads();
  const folders = await readdir(paths.agentsFolder, { withFileTypes: true }).catch(() => []);
  const named = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const agents = [...new Set([...threads.map(({ agent }) => agent), ...named])];
  const found = await redactCopies({ ...memory, agents }, partsFor);
  return { ...found, remains: [...found.remains, ...(await backupsIn(paths.root))] };
}

/** A backup is a copy of everything at its time; what is in it goes when it is deleted. */
async function backupsIn(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'backups')).catch(() => []);
  const kept = names.filter((name) => !name.startsWith('.'));
  return kept.length === 0 ? [] : [`backups/ (${kept.length} made before, which hold it if they are older)`];
}
