/** Every command with its one line of help; the code behind a command is loaded when it is the one that was asked for. */
import type { Command } from 'commander';
import type { Context } from './context.ts';

export interface CommandModule {
  /** Adds arguments, flags and the action to a command that has its name and summary already. */
  define(command: Command, context: Context): void;
}

export interface CommandEntry {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly hidden?: true;
  readonly load: () => Promise<CommandModule>;
}

const START = 'Start here:';
const AGENTS = 'Agents:';
const MEMORY = 'Memory:';
const CONVERSATION = 'Conversation:';
const SECTIONS = 'Sections:';
const CONNECT = 'Connect:';
const CARE = 'Care:';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    group: START,
    summary: 'Creates a workspace.',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'demo',
    group: START,
    summary: 'Shows that a memory survives a crash.',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'run',
    group: AGENTS,
    summary: 'Gives an agent a task.',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'chat',
    group: AGENTS,
    summary: 'Talks with an agent.',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'swarm',
    group: AGENTS,
    summary: 'Runs agents on one task together, and shows, follows and cancels runs.',
    load: () => import('./commands/swarm.ts'),
  },
  {
    name: 'start',
    group: AGENTS,
    summary: 'Runs agents by their schedules.',
    load: () => import('./commands/start.ts'),
  },
  {
    name: 'validate',
    group: AGENTS,
    summary: 'Checks the files that define agents.',
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'why',
    group: AGENTS,
    summary: 'Shows what an agent was told, and why.',
    load: () => import('./commands/why.ts'),
  },
  {
    name: 'memory',
    group: MEMORY,
    summary: 'Adds, finds, changes and forgets memories.',
    load: () => import('./commands/memory.ts'),
  },
  {
    name: 'knowledge',
    group: MEMORY,
    summary: 'Indexes documents and finds passages in them.',
    load: () => import('./commands/knowledge.ts'),
  },
  {
    name: 'notes',
    group: MEMORY,
    summary: 'Indexes the notes that agents keep in files.',
    load: () => import('./commands/notes.ts'),
  },
  {
    name: 'agents',
    group: MEMORY,
    summary: 'Lists the agents that remember something.',
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'log',
    group: CONVERSATION,
    summary: 'Shows, searches, follows, exports and imports what was said.',
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'compact',
    group: CONVERSATION,
    summary: 'Replaces a conversation by a summary.',
    load: () => import('./commands/compact.ts'),
  },
  {
    name: 'archive',
    group: CONVERSATION,
    summary: 'Shows, searches and brings back what was compacted.',
    load: () => import('./commands/archive.ts'),
  },
  {
    name: 'sections',
    group: SECTIONS,
    summary: 'Reads and writes the notes that an agent keeps by topic.',
    load: () => import('./commands/sections.ts'),
  },
  {
    name: 'serve',
    group: CONNECT,
    summary: 'Serves memory over HTTP.',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'inspect',
    group: CONNECT,
    summary: 'Prints a new link to the web inspector.',
    load: () => import('./commands/inspect.ts'),
  },
  {
    name: 'keys',
    group: CONNECT,
    summary: 'Makes, lists and revokes the API keys of the server.',
    load: () => import('./commands/keys.ts'),
  },
  {
    name: 'mcp',
    group: CONNECT,
    summary: 'Serves memory to programs that speak MCP, and sets them up.',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'watch',
    group: CONNECT,
    summary: 'Shows what happens in memory, as it happens.',
    load: () => import('./commands/watch.ts'),
  },
  {
    name: 'hook',
    group: CONNECT,
    summary: 'Answers a hook of Claude Code.',
    load: () => import('./commands/hook.ts'),
  },
  {
    name: 'models',
    group: CARE,
    summary: 'Lists, downloads and chooses embedding models.',
    load: () => import('./commands/models.ts'),
  },
  {
    name: 'guard',
    group: CARE,
    summary: 'Shows what was refused, and lets it through or deletes it.',
    load: () => import('./commands/guard.ts'),
  },
  {
    name: 'doctor',
    group: CARE,
    summary: 'Examines program, configuration and database.',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'backup',
    group: CARE,
    summary: 'Copies the database while it is in use.',
    load: () => import('./commands/backup.ts'),
  },
  {
    name: 'restore',
    group: CARE,
    summary: 'Brings a backup back.',
    load: () => import('./commands/restore.ts'),
  },
  {
    name: 'export',
    group: CARE,
    summary: 'Writes all that is remembered into one file.',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    group: CARE,
    summary: 'Takes in an export, or the memory of another system.',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'migrate',
    group: CARE,
    summary: 'Carries everything into another storage.',
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'reindex',
    group: CARE,
    summary: 'Makes every index anew.',
    load: () => import('./commands/reindex.ts'),
  },
  {
    name: 're-embed',
    group: CARE,
    summary: 'Goes over to another embedding model.',
    load: () => import('./commands/re-embed.ts'),
  },
  {
    name: 'completion',
    group: CARE,
    summary: 'Prints completions for a shell.',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'config',
    group: CARE,
    summary: 'Shows the settings that hold, and where each is from.',
    load: () => import('./commands/config.ts'),
  },
];
