/** Files that belong to an agent or a user: documents of an agent, reviews that wait, and backups that name neither. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '../../kernel/clock.ts';
import type { Erased } from '../../ports/erasing.ts';
import { userIn } from '../../sections/index.ts';
import { USER_FOLDER, USER_SECTIONS, userHash, type WorkspacePaths } from '../../workspace/index.ts';

/** What is removed with an agent. Its definition, agents/<name>.md, is a program and stays. */
async function filesOf({ agent, user }: Erased, paths: WorkspacePaths): Promise<string[]> {
  if (agent === undefined) return sectionsAbout(user, paths);
  const folder = paths.agentFolder(agent);
  const inside = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  const files = inside
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return [...files, ...[paths.sectionsFile(agent)].filter((file) => existsSync(file))];
}

const foldersIn = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];

/** What agents keep about a user in files. */
export async function sectionsAbout(user: string, paths: WorkspacePaths): Promise<string[]> {
  const name = `${userHash(user)}${USER_SECTIONS}`;
  const agents = await foldersIn(paths.agentsFolder);
  return agents
    .map((agent) => join(paths.agentsFolder, agent, USER_FOLDER, name))
    .filter((file) => existsSync(file));
}

/** The users about whom agents keep sections: the names of these files are only hashes. */
export async function usersInFiles(paths: WorkspacePaths): Promise<string[]> {
  const users: string[] = [];
  for (const agent of await foldersIn(paths.agentsFolder)) {
    const folder = join(paths.agentsFolder, agent, USER_FOLDER);
    const names = existsSync(folder) ? await readdir(folder) : [];
    for (const name of names.filter((each) => each.endsWith(USER_SECTIONS)))
      users.push(
        ...[userIn(await readFile(join(folder, name), 'utf8'))].filter((each) => each !== undefined),
      );
  }
  return users;
}

/** Sessions that were not reviewed yet. */
async function reviewsOf({ agent, user }: Erased, { dataFolder }: WorkspacePaths): Promise<string[]> {
  const folder = join(dataFolder, 'reviews');
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : [];
  const found: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const note = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as {
      agent?: string;
      user?: string;
    };
    if (user === undefined ? note.agent === agent : note.user === user) found.push(path);
  }
  return found;
}

export async function ownFiles(whose: Erased, paths: WorkspacePaths): Promise<readonly string[]> {
  return [...(await filesOf(whose, paths)), ...(await reviewsOf(whose, paths))];
}

export async function removeFiles(
  whose: Erased,
  files: readonly string[],
  paths: WorkspacePaths,
): Promise<void> {
  for (const file of files) await rm(file, { force: true });
  if (whose.agent !== undefined) await rm(paths.agentFolder(whose.agent), { recursive: true, force: true });
}

/** Backups hold what was erased until they are deleted. */
export async function backupsOf(
  { root }: WorkspacePaths,
  now: number,
): Promise<{ file: string; ageDays: number }[]> {
  const folder = join(root, 'backups');
  const names = (existsSync(folder) ? await readdir(folder) : []).filter((name) => !name.startsWith('.'));
  return Promise.all(
    names.map(async (name) => {
      const { mtimeMs } = await stat(join(folder, name));
      return { file: `backups/${name}`, ageDays: Math.max(0, Math.floor((now - mtimeMs) / DAY)) };
    }),
  );
}
