/** Where the files of local models are: in the workspace, or in the cache that all workspaces of a user share. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

export interface ModelFolders {
  readonly workspace: string;
  readonly cache: string;
}

/** What the platform keeps for data that can be had again. */
function cacheFolder(env: Environment): string {
  const { XDG_CACHE_HOME = '', LOCALAPPDATA = '' } = env;
  if (isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'keepsake');
  const home = env.HOME || env.USERPROFILE || homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'keepsake');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'keepsake');
  return join(home, '.cache', 'keepsake');
}

export function modelFolders(root: string, env: Environment, name: string): ModelFolders {
  return { workspace: join(root, 'models', name), cache: join(cacheFolder(env), 'models', name) };
}
