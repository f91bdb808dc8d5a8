/** The programs that speak MCP: where each keeps its settings, and how a server is written there. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserFolders } from '../../../../administration/user-folders.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Entry } from './settings-format.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** The settings of the user. */
  file(folders: UserFolders): string;
  /** The settings of one project, below its folder. */
  readonly projectFile?: string;
  /** Default: json. */
  readonly format?: 'toml' | 'yaml';
  /** The key below which servers are listed. */
  readonly key: string;
  entry(server: ServerCommand): Entry;
  /** It starts servers in the folder of the project, so that each project can have a memory of its own. */
  readonly startsInProject: boolean;
  /** What has to be done for it to take effect. */
  readonly next: string;
}

const plainEntry = ({ command, args }: ServerCommand) => ({ command, args });
const typedEntry = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args });
const NEW_SESSION = 'Start a new session.';

/** The first that exists, else the first whose folder does, else the first. */
function firstThere(...files: readonly [string, ...string[]]): string {
  return (
    files.find((file) => existsSync(file)) ?? files.find((file) => existsSync(dirname(file))) ?? files[0]
  );
}

const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home, claude }) => join(claude ?? home, '.claude.json'),
    projectFile: '.mcp.json',
    key: 'mcpServers',
    entry: typedEntry,
    startsInProject: true,
    next: 'Start a new session; /mcp shows the server.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: ({ settings }) => join(settings, 'Claude', 'claude_desktop_config.json'),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Quit Claude Desktop and start it again.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Enable the server in Cursor Settings, under MCP.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    file: ({ settings }) => join(settings, 'Code', 'User', 'mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
    key: 'servers',
    entry: typedEntry,
    startsInProject: false,
    next: 'Run "MCP: List Servers" in VS Code and start it.',
  },
  {
    name: 'zed',
    title: 'Zed',
    // On a Mac, Zed keeps to ~/.config as well.
    file: ({ platform, settings, xdg }) =>
      platform === 'win32' ? join(settings, 'Zed', 'settings.json') : join(xdg, 'zed', 'settings.json'),
    projectFile: join('.zed', 'settings.json'),
    key: 'context_servers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Zed loads it immediately; its Agent Panel shows the server.',
  },
  {
    name: 'codex',
    title: 'Codex',
    file: ({ home, codex }) => join(codex ?? join(home, '.codex'), 'config.toml'),
    projectFile: join('.codex', 'config.toml'),
    format: 'toml',
    key: 'mcp_servers',
    // By default Codex gives up after ten seconds, which a busy machine may need.
    entry: ({ command, args }) => ({ command, args, startup_timeout_sec: 30 }),
    startsInProject: true,
    next: NEW_SESSION,
  },
  {
    name: 'opencode',
    title: 'opencode',
    file: ({ xdg }) =>
      firstThere(join(xdg, 'opencode', 'opencode.json'), join(xdg, 'opencode', 'opencode.jsonc')),
    projectFile: 'opencode.json',
    key: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    startsInProject: true,
    next: NEW_SESSION,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    projectFile: join('.gemini', 'settings.json'),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: true,
    next: 'Start a new session; /mcp shows the server.',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    file: ({ home }) => join(home, '.qwen', 'settings.json'),
    projectFile: join('.qwen', 'settings.json'),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: true,
    next: 'Start a new session; /mcp shows the server.',
  },
  {
    name: 'continue',
    title: 'Continue',
    file: ({ home }) => join(home, '.continue', 'config.yaml'),
    projectFile: join('.continue', 'mcpServers', 'keepsake.yaml'),
    format: 'yaml',
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Reload the window, or start "cn" again.',
  },
  {
    name: 'cline',
    title: 'Cline',
    // The extension of VS Code, and the program for terminals.
    file: ({ settings, home }) =>
      firstThere(
        join(
          ...[settings, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev'],
          ...['settings', 'cline_mcp_settings.json'],
        ),
        join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
      ),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Cline loads it immediately; "MCP Servers" shows it.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    key: 'mcpServers',
    entry: plainEntry,
    startsInProject: false,
    next: 'Press refresh in the MCP settings of Windsurf.',
  },
];

export const CLIENT_NAMES = CLIENTS.map(({ name }) => name);

export function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((each) => each.name === name);
  if (client !== undefined) return client;
  throw new KeepsakeError('INVALID_INPUT', `Keepsake does not know how to set up ${JSON.stringify(name)}.`, {
    hint: `Choose one of ${CLIENT_NAMES.join(', ')}. Any other program can start the command that "keepsake mcp install claude-desktop --print" shows.`,
  });
}

export function projectFileOf({ title, projectFile }: McpClient): string {
  if (projectFile !== undefined) return join(process.cwd(), projectFile);
  throw new KeepsakeError('INVALID_INPUT', `${title} has no settings for a project.`, {
    hint: 'Leave --project out.',
  });
}
