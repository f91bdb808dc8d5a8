/** Finds the workspace that a command means: named, by $KEEPSAKE_WORKSPACE, nearest upwards, by $WORKSPACE_DIR, or the one in the home folder. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { configFilesIn, type Environment, WORKSPACE_VARIABLE } from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { refuseUnlessFolder } from './missing-folder.ts';

export interface FindOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** A folder, or the configuration file in it. The folder need not exist yet. */
  readonly explicit?: string | undefined;
}

export interface Workspace {
  /** Absolute path. */
  readonly root: string;
  readonly configFile?: string;
  readonly found: 'explicit' | 'variable' | 'config' | 'env' | 'home';
}

function at(root: string, found: Workspace['found']): Workspace {
  if (found !== 'config') refuseUnlessFolder(root);
  const [configFile] = configFilesIn(root);
  return configFile === undefined ? { root, found } : { root, configFile, found };
}

/**
 * A stranger may drop a keepsake.jsonc into /tmp, and everyone who works below would store memories where they say.
 * Only folders that all may write to are suspicious, so that mounted volumes with other owners continue working.
 */
export function isPlanted(
  folder: { readonly mode: number },
  file: { readonly uid: number },
  user: number | undefined,
): boolean {
  const writableByAll = (folder.mode & 0o002) !== 0;
  return user !== undefined && writableByAll && file.uid !== user && file.uid !== 0;
}

function refusePlanted(folder: string, file: string): void {
  if (!isPlanted(statSync(folder), lstatSync(file), process.getuid?.())) return;
  throw new KeepsakeError(
    'PERMISSION',
    `${file} belongs to another user, in a folder that everyone may write to.`,
    {
      hint: 'If you trust that file, name the workspace explicitly; else work in a folder of your own.',
      details: { file },
    },
  );
}

/** On the way up, a folder that this user may not enter holds no workspace of theirs. */
function atIfPermitted(folder: string): Workspace | undefined {
  try {
    return at(folder, 'config');
  } catch (error) {
    if (KeepsakeError.is(error) && error.code === 'PERMISSION') return undefined;
    throw error;
  }
}

function nearest(cwd: string): Workspace | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const workspace = atIfPermitted(folder);
    if (workspace?.configFile !== undefined) {
      refusePlanted(folder, workspace.configFile);
      return workspace;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function statIfPossible(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function named(path: string): Workspace {
  const stats = statIfPossible(path);
  // A file that is not there must be reported by whoever loads it, and not become a folder of that name.
  const namesFile = /\.jsonc?$/.test(path) && (stats === undefined || stats.isFile());
  return namesFile ? { root: dirname(path), configFile: path, found: 'explicit' } : at(path, 'explicit');
}

export function findWorkspace({ cwd, env, explicit }: FindOptions): Workspace {
  if (explicit !== undefined) {
    if (explicit === '') {
      throw new KeepsakeError('INVALID_INPUT', 'The path of the workspace is empty.', {
        hint: 'Name a folder, or leave the option out to use the nearest one with a keepsake.jsonc.',
      });
    }
    return named(resolve(cwd, explicit));
  }
  const variable = env[WORKSPACE_VARIABLE];
  if (variable) return { ...named(resolve(cwd, variable)), found: 'variable' };
  const above = nearest(cwd);
  if (above !== undefined) return above;
  if (env.WORKSPACE_DIR) return at(resolve(cwd, env.WORKSPACE_DIR), 'env');
  return at(resolve(cwd, env.HOME || env.USERPROFILE || homedir(), '.keepsake'), 'home');
}
