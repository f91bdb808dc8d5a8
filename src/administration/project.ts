/** Names the agent of a project that shares a workspace with other projects, after the project's folder. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Environment, readEnvironment } from '../config/index.ts';
import type { LocatedWorkspace } from './target.ts';

/** With the digits behind it, an agent's name has at most 64 characters and 200 bytes. */
const MOST_OF_THE_NAME = 40;
const DIGITS = 6;

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What Git says of a folder: undefined where no repository begins. A worktree is the repository that it was made of. */
function repositoryAt(folder: string): string | undefined {
  const git = join(folder, '.git');
  const stats = statSync(git, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return folder;
  const main = /^gitdir: (.+)[\\/]\.git[\\/]worktrees[\\/]/.exec(readFileSync(git, 'utf8'))?.[1];
  return main === undefined ? folder : resolve(folder, main);
}

/** The folder of the repository that a folder is in, else the folder itself. */
export function projectFolder(start: string): string {
  const from = real(resolve(start));
  for (let folder = from; ; folder = dirname(folder)) {
    try {
      const found = repositoryAt(folder);
      if (found !== undefined) return real(found);
    } catch {
      // A folder that may not be looked into is none of ours.
    }
    if (folder === dirname(folder)) return from;
  }
}

/**
 * Readable, valid as a name whatever the folder is called, and never that of another project: two folders called "app", or "App" and
 * "app", are two projects. A folder that is moved is another one.
 */
export function projectAgent(folder: string): string {
  const readable = basename(folder)
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replaceAll(/^[-\p{M}]+|-+$/gu, '');
  const name = [...readable].slice(0, MOST_OF_THE_NAME).join('');
  const digits = createHash('sha256').update(folder).digest('hex').slice(0, DIGITS);
  return `${name === '' ? 'project' : name}-${digits}`;
}

/** Where a program such as Claude Code was started; it may have gone elsewhere since. */
export function startedIn(env: Environment = readEnvironment(), cwd = process.cwd()): string {
  return env.CLAUDE_PROJECT_DIR || cwd;
}

/** Undefined where the workspace is the project's own: then its default agent is meant. */
export function agentOfProject(
  { found }: Pick<LocatedWorkspace, 'found'>,
  folder = startedIn(),
): string | undefined {
  return found === 'config' ? undefined : projectAgent(projectFolder(folder));
}
