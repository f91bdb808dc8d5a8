/** Finds the folder in which programs keep their settings on this platform. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../config/index.ts';
import { defined } from '../kernel/defined.ts';

export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Of desktop programs: ~/Library/Application Support, %APPDATA%, or ~/.config. */
  readonly settings: string;
  /** Of programs that follow the XDG rules also on a Mac. */
  readonly xdg: string;
  /** Of Claude Code, if it was moved. */
  readonly claude?: string | undefined;
  /** Of Codex, if it was moved. */
  readonly codex?: string | undefined;
}

export function userFolders(
  platform: NodeJS.Platform = process.platform,
  env = readEnvironment(),
): UserFolders {
  const home = homedir();
  const xdg = env.XDG_CONFIG_HOME || join(home, '.config');
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? env.APPDATA || join(home, 'AppData', 'Roaming')
        : xdg;
  const moved = { claude: env.CLAUDE_CONFIG_DIR || undefined, codex: env.CODEX_HOME || undefined };
  return { platform, home, settings, xdg, ...defined(moved) };
}
