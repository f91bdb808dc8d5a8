/** The programs that speak MCP: where each keeps its settings, and how a server is written there. */
import { join, posix, win32 } from 'node:path';
import type { UserFolders } from '../../../../administration/user-folders.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';

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
  /** The key below which servers are listed. */
  readonly key: string;
  entry(server: ServerCommand): Readonly<Record<string, unknown>>;
  /** What has to be done for it to take effect. */
  readonly next: string;
}

const plainEntry = ({ command, args }: ServerCommand) => ({ command, args });
const typedEntry = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args });

const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home }) => join(home, '.claude.json'),
    projectFile: '.mcp.json',
    key: 'mcpServers',
    entry: typedEntry,
    next: 'Start a new session; /mcp shows the server.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: ({ settings }) => join(settings, 'Claude', 'claude_desktop_config.json'),
    key: 'mcpServers',
    entry: plainEntry,
    next: 'Quit Claude Desktop and start it again.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
    key: 'mcpServers',
    entry: plainEntry,
    next: 'Enable the server in Cursor Settings, under MCP.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    file: ({ settings }) => join(settings, 'Code', 'User', 'mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
    key: 'servers',
    entry: typedEntry,
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
    next: 'Zed takes it up at once; its Agent Panel shows the server.',
  },
];

export const CLIENT_NAMES = CLIENTS.map(({ name }) => name);

export function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((each) => each.name === name);
  if (client !== undefined) return client;
  throw new KeepsakeError('INVALID_INPUT', `Keepsake does not know how to set up ${JSON.stringify(name)}.`, {
    hint: `Choose one of ${CLIENT_NAMES.join(', ')}; any other program takes the command "npx -y keepsake mcp".`,
  });
}

/** How the running program can be started again, from any folder. */
export interface Program {
  /** The folder of the package. */
  readonly root: string;
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** The folder of the project whose settings are meant. */
  readonly project?: string | undefined;
}

/**
 * npx finds what it fetched itself, what is installed for everybody, and what the project has, where the settings are its
 * own; anything else it would look for in the registry.
 */
function isFoundByNpx({ root, node, platform, project }: Program): boolean {
  const { dirname, join, relative, sep } = platform === 'win32' ? win32 : posix;
  const modules = join('node_modules', 'keepsake');
  const shared = platform === 'win32' ? dirname(node) : join(dirname(node), '..', 'lib');
  const is = (folder: string) => relative(join(folder, modules), root) === '';
  return root.split(sep).includes('_npx') || is(shared) || (project !== undefined && is(project));
}

/** On Windows, npx is a script, which only a shell can start. */
export function serverCommand(args: readonly string[], program: Program): ServerCommand {
  const { root, node, platform } = program;
  if (!isFoundByNpx(program)) {
    const { join } = platform === 'win32' ? win32 : posix;
    return { command: node, args: [join(root, 'bin', 'keepsake.js'), 'mcp', ...args] };
  }
  const npx = ['-y', 'keepsake', 'mcp', ...args];
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx] }
    : { command: 'npx', args: npx };
}
