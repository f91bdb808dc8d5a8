/** Files that are only written beside a database: where it does not exist, they say that there was one. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Finding } from '../ports/maintenance.ts';
import type { WorkspacePaths } from '../workspace/index.ts';

const SHOWN = 5;
/** Not the keys: a server and "keepsake keys create" write those before there is a database. */
const WRITTEN_LATER = ['data/erasures'];

async function hasContent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.isDirectory() || found.size > 0);
}

/** Conversations and archives of agents, backups and receipts. */
async function witnesses({ root, agentsFolder }: WorkspacePaths): Promise<string[]> {
  const agents = await readdir(agentsFolder, { withFileTypes: true }).catch(() => []);
  const ofAgents = agents
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [join(agentsFolder, name, 'MEMORY.md'), join(agentsFolder, name, 'archive')]);
  const backups = await readdir(join(root, 'backups')).catch(() => []);
  const ofRoot = [
    ...WRITTEN_LATER,
    ...backups.filter((name) => /\.db$/.test(name)).map((name) => `backups/${name}`),
  ];
  const found: string[] = [];
  for (const path of [...ofAgents, ...ofRoot.map((name) => join(root, name))])
    if (await hasContent(path)) found.push(relative(root, path).replaceAll('\\', '/'));
  return found;
}

/** A copy without `data/`, for example of a git repository, looks the same, so this is no problem by itself. */
export async function examineWitnesses(paths: WorkspacePaths): Promise<Finding[]> {
  if (existsSync(paths.database)) return [];
  const found = await witnesses(paths);
  if (found.length === 0) return [];
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  return [
    {
      ...{ check: 'database.witness', severity: 'notice' },
      message: `There is no database, but files that are written beside one: ${found.slice(0, SHOWN).join(', ')}${more}. If memories were stored here, they are missing.`,
      hint: 'Put the database back, or run "keepsake restore <backup>". In a copy without the folder data, this is as it should be.',
    },
  ];
}
