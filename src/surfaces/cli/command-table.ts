/** Every command with its one line of help, in the order of the help; its code is loaded when it is asked for. */
import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Presentations } from './show/presentation.ts';

export interface CommandModule {
  /** Adds arguments, flags and the action to a command that has its name and summary already. */
  define(command: Command, context: Context): void;
}

interface Entry {
  readonly name: string;
  /** The heading in the help. */
  readonly group: string;
  readonly summary: string;
  readonly hidden?: true;
}

/** A command that is not a verb. */
interface OwnCommand extends Entry {
  readonly load: () => Promise<CommandModule>;
}

/** A verb, or a group of verbs that have the noun in common; its commands are made by project.ts. */
export interface VerbCommand extends Entry {
  /** Of a group; that of a single verb is in its definition. */
  readonly description?: string;
  readonly examples?: readonly string[];
  /** What --agent means for verbs that act for the default agent. */
  readonly whose?: string;
  readonly show?: () => Promise<{ readonly presentations: Presentations }>;
  /** Commands of the group that are not verbs. */
  readonly others?: readonly Omit<OwnCommand, 'group'>[];
  /** Commands of the group in the order of its help; those that are not named come last. */
  readonly order?: readonly string[];
}

export type CommandEntry = OwnCommand | VerbCommand;

const START = 'Start here:';
const AGENTS = 'Agents:';
const MEMORY = 'Memory:';
const CONVERSATION = 'Conversation:';
const SECTIONS = 'Sections:';
const CONNECT = 'Connect:';
const CARE = 'Care:';

export const COMMANDS: readonly CommandEntry[] = [
  {
    ...{ name: 'init', group: START, summary: 'Creates a workspace.' },
    load: () => import('./commands/init.ts'),
  },
  {
    ...{ name: 'demo', group: START, summary: 'Shows that a memory survives a crash.' },
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
    description:
      'Runs swarms, agents that work on one task together, and shows, follows and cancels their runs from any process.',
    examples: [
      'keepsake swarm run market "How will Norway build its hydrogen economy?"',
      'keepsake swarm list',
      'keepsake swarm get <id> --watch',
      'keepsake swarm cancel <id>',
    ],
    others: [
      { name: 'run', summary: 'Gives a swarm a task.', load: () => import('./commands/swarm/run.ts') },
    ],
    order: ['run', 'list', 'get', 'state', 'messages', 'cancel', 'teach'],
    show: () => import('./show/swarm.ts'),
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
    summary: 'Shows what entered the prompts of a session, and why.',
    show: () => import('./show/why.ts'),
  },
  {
    name: 'memory',
    group: MEMORY,
    summary: 'Adds, finds, changes and forgets memories.',
    description:
      'Adds, finds, changes and forgets memories. Without --agent, reading covers the whole workspace.',
    examples: [
      'keepsake memory add "Prefers short answers."',
      'keepsake memory search "answers"',
      'keepsake memory list --agent my-agent',
    ],
    whose: 'Whose memory it is; else the default agent',
    order: [
      'add',
      'search',
      'recall',
      'standing',
      'list',
      'get',
      'update',
      'promote',
      'forget',
      'history',
      'undo',
      'forget-expired',
      'stats',
    ],
    show: () => import('./show/memory.ts'),
  },
  {
    name: 'knowledge',
    group: MEMORY,
    summary: 'Indexes documents and finds passages in them.',
    description: 'Indexes external documents and finds passages in them, with file and line.',
    examples: ['keepsake knowledge add docs', 'keepsake knowledge search "how do I rotate the keys"'],
    whose: 'Whose knowledge it is; else the default agent',
    order: ['add', 'search', 'list', 'refresh', 'remove', 'store'],
    show: () => import('./show/knowledge.ts'),
  },
  {
    name: 'notes',
    group: MEMORY,
    summary: 'Indexes the notes that agents keep in files.',
    description: 'Indexes the notes in agents/<name>/notes, so that memory search finds them.',
    examples: ['keepsake notes index'],
    others: [
      {
        name: 'watch',
        summary: 'Indexes notes when they change.',
        load: () => import('./commands/notes/watch.ts'),
      },
    ],
    order: ['index', 'watch'],
    show: () => import('./show/notes.ts'),
  },
  {
    name: 'agents',
    group: MEMORY,
    summary: 'Lists the agents that have memories.',
    show: () => import('./show/agents.ts'),
  },
  {
    name: 'log',
    group: CONVERSATION,
    summary: 'Shows, searches, follows, exports and imports conversations.',
    description:
      'Adds to, shows, searches, follows, exports and imports conversations. The log keeps every message.',
    examples: ['keepsake log get', 'keepsake log search "invoice"', 'keepsake log tail --follow'],
    whose: 'Whose conversation it is; else the default agent',
    others: [
      {
        name: 'tail',
        summary: 'Shows the newest messages, and follows the log.',
        load: () => import('./commands/log/tail.ts'),
      },
    ],
    order: ['list', 'get', 'search', 'add', 'tail', 'export', 'import'],
    show: () => import('./show/log.ts'),
  },
  {
    name: 'compact',
    group: CONVERSATION,
    summary: 'Replaces a conversation with a summary.',
    whose: 'Whose conversation it is; else the default agent',
    show: () => import('./show/compact.ts'),
  },
  {
    name: 'archive',
    group: CONVERSATION,
    summary: 'Shows, searches and restores what was compacted.',
    description: 'Shows, searches, compares and restores the transcripts that compactions saved.',
    examples: ['keepsake archive list', 'keepsake archive search "invoice"'],
    whose: 'Whose archives they are; else the default agent',
    order: ['list', 'get', 'search', 'diff', 'restore'],
    show: () => import('./show/archive.ts'),
  },
  {
    name: 'sections',
    group: SECTIONS,
    summary: 'Reads and writes the notes that an agent keeps by topic.',
    description: 'Reads and writes the notes by topic that an agent keeps in agents/<agent>.memory.md.',
    examples: [
      'keepsake sections list',
      'keepsake sections append user_preferences "Likes tables."',
      'keepsake sections get user_preferences',
    ],
    whose: 'Whose sections they are; else the default agent',
    order: ['list', 'get', 'save', 'append', 'remove'],
    show: () => import('./show/sections.ts'),
  },
  {
    name: 'items',
    group: SECTIONS,
    summary: 'Shows what adapters keep for other frameworks.',
    description:
      'Shows the JSON values that adapters keep for other frameworks: stores, checkpoints, sessions, files.',
    examples: ['keepsake items namespaces', 'keepsake items list --namespace memories --json'],
    whose: 'Whose items they are; else those of all agents',
    order: ['namespaces', 'list', 'search'],
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
    summary: 'Creates, lists, rotates and revokes the API keys of the server.',
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
    summary: 'Lists refused writes, and releases or removes them.',
    description:
      'Lists writes that the guard refused, releases or removes them, and checks a text on request.',
    examples: ['keepsake guard list', 'keepsake guard release <id>', 'keepsake guard scan -'],
    order: ['list', 'get', 'release', 'remove', 'scan'],
    show: () => import('./show/guard.ts'),
  },
  {
    name: 'eval',
    group: CARE,
    summary: 'Measures recall on your own questions.',
    load: () => import('./commands/eval.ts'),
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
    summary: 'Restores a backup.',
    load: () => import('./commands/restore.ts'),
  },
  {
    ...{ name: 'retention', group: CARE },
    summary: 'Removes events, conversations, refused writes and audit files that are too old.',
    show: () => import('./show/retention.ts'),
  },
  {
    ...{ name: 'erase', group: CARE, summary: 'Erases everything of a user or an agent.' },
    load: () => import('./commands/erase.ts'),
  },
  {
    ...{ name: 'export', group: CARE, summary: 'Exports all memory into one file.' },
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    group: CARE,
    summary: 'Imports an export, or the memory of another system.',
    load: () => import('./commands/import.ts'),
  },
  {
    ...{ name: 'migrate', group: CARE },
    summary: 'Copies everything into another storage.',
    load: () => import('./commands/migrate.ts'),
  },
  {
    ...{ name: 'reindex', group: CARE },
    summary: 'Rebuilds every index.',
    load: () => import('./commands/reindex.ts'),
  },
  {
    ...{ name: 'vacuum', group: CARE },
    summary: 'Rewrites the storage, so that no forgotten text is left in it.',
    load: () => import('./commands/vacuum.ts'),
  },
  {
    ...{ name: 're-embed', group: CARE },
    summary: 'Switches to another embedding model.',
    load: () => import('./commands/re-embed.ts'),
  },
  {
    ...{ name: 'completion', group: CARE },
    summary: 'Prints completions for a shell.',
    load: () => import('./commands/completion.ts'),
  },
  {
    ...{ name: 'config', group: CARE },
    summary: 'Shows the effective settings with their sources, and changes a setting.',
    load: () => import('./commands/config.ts'),
  },
];
