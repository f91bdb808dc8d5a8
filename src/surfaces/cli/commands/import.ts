/** `keepsake import`: an export of Keepsake, the memory of another system, or a folder of Markdown. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportReport,
  type LearnChatsOptions,
  type LearnPlan,
  workspaceImport,
} from '../../../administration/transfer.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import { checkUserId } from '../../../kernel/users.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { reportFailure } from '../failures.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
import type { Paint } from '../terminal/paint.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';
import { learnedLines, planLines } from './import/learned.ts';

const MOST_CONFLICTS = 10;

const NAMES: Readonly<Record<ImportReport['from'], string>> = {
  keepsake: 'an archive of Keepsake',
  mem0: 'mem0',
  'server-memory': 'the MCP memory server',
  claude: 'Claude',
  chatgpt: 'ChatGPT',
  zep: 'Zep',
  letta: 'Letta',
  langgraph: 'LangGraph',
  markdown: 'Markdown',
};

/** As a shell takes it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function line(what: string, parts: readonly [number, string][]): string[] {
  const told = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return told.length === 0 ? [] : [`  ${what.padEnd(10)}${told.join(', ')}`];
}

function details(report: ImportReport, paint: Paint): string[] {
  if (report.from === 'keepsake') {
    const { records, messages, files, conflicts } = report;
    const shown = conflicts.slice(0, MOST_CONFLICTS).map((each) => `    ${each}`);
    const more = conflicts.length - shown.length;
    return [
      ...line('memories', [
        [records.added, 'added'],
        [records.present, 'already present'],
        [records.forgotten, 'forgotten here, which stay so'],
      ]),
      ...line('messages', [
        [messages.added, 'added'],
        [messages.present, 'already present'],
      ]),
      ...line('files', [
        [files.added, 'added'],
        [files.present, 'already present'],
      ]),
      ...(conflicts.length === 0
        ? []
        : [paint('yellow', `  ${counted(conflicts.length, 'conflict')}; what is here stayed as it is:`)]),
      ...shown,
      ...(more > 0 ? [`    and ${more} more (--json shows all)`] : []),
    ];
  }
  const { dryRun, facts, messages, threads, documents, skipped, failed } = report;
  return [
    ...line('facts', [
      [facts.added, 'added'],
      [facts.known, 'known already'],
      [facts.blocked, 'refused by the guard (see "keepsake guard list")'],
    ]),
    ...line('messages', [
      [messages.added, 'added'],
      [messages.known, 'known already'],
    ]),
    ...line('chats', [
      [threads.added, 'added, each as an archived thread'],
      [threads.known, 'known already'],
    ]),
    ...line('documents', [
      [documents.added, 'added'],
      [documents.known, 'known already'],
      [documents.blocked, 'with parts that the guard refused'],
    ]),
    ...line('skipped', [[skipped, 'without text: empty messages, pictures, branches that were left']]),
    ...failed.map((message) => paint('yellow', `  failed    ${message}`)),
    ...(facts.pruned > 0
      ? [
          paint(
            'yellow',
            `  ${counted(facts.pruned, 'fact')} ${dryRun ? 'would leave' : 'left'} search, since memory.maxEntries allows no more.`,
          ),
          paint(
            'yellow',
            `  To find all of them, raise it in keepsake.jsonc${dryRun ? ' first' : ' and import again'}.`,
          ),
        ]
      : []),
  ];
}

/** What was said is not part of any prompt; this is how it is found. */
function next(report: ImportReport, again: string): string[] {
  if (report.from === 'keepsake') return [];
  const { dryRun, messages, learned, agent, user } = report;
  if (learned !== null) return learnedLines(learned, dryRun, again);
  if (dryRun || messages.added === 0) return [];
  const whose = user === null ? '' : ` --user ${quoted(user)}`;
  return [
    '  Prompts quote a few turns of these chats where they answer. To search them:',
    `    keepsake log search "your words" --agent ${agent}${whose} --all-threads`,
    '  To have a language model learn from them, within a budget that is stated first:',
    `    ${again} --learn`,
  ];
}

function importLines(report: ImportReport, paint: Paint, again: string): string[] {
  const whose = report.agent === null ? '' : ` for ${paint('bold', report.agent)}`;
  const head = report.dryRun ? 'Would import' : `${paint('green', '✓')} Imported`;
  const lines = [...details(report, paint), ...next(report, again)];
  return [
    `${head} from ${NAMES[report.from]}${whose}`,
    ...(lines.length === 0 ? ['  nothing: there is nothing to remember in it'] : lines),
  ];
}

interface Options {
  readonly agent?: string;
  readonly user?: string;
  readonly from?: ImportFormat;
  readonly dryRun?: boolean;
  readonly learn?: boolean;
  readonly model?: string;
  readonly maxCalls?: number;
  readonly yes?: boolean;
}

/** "-" is not a file here: an archive is read twice. */
function refuseStdin(path: string): void {
  if (path !== '-') return;
  throw new KeepsakeError('INVALID_INPUT', 'An import is read from a file or folder, not from stdin.', {
    hint: 'Save it first; "keepsake log import -" takes a single conversation from stdin.',
  });
}

/** As it can be typed again, in the folder where it was typed. */
function commandAgain(path: string, { agent, user, from, learn, model, maxCalls }: Options): string {
  const named = { agent, user, from, model, 'max-calls': maxCalls };
  const flags = Object.entries(named).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, quoted(String(value))],
  );
  return ['keepsake import', quoted(path), ...flags, ...(learn === true ? ['--learn'] : [])].join(' ');
}

async function performImport(path: string, options: Options, context: Context): Promise<void> {
  const { agent, user, from, dryRun = false } = options;
  const { output } = context;
  const engine = await context.open();
  const name = checkAgentName(agent ?? engine.config.name);
  const importing = createProgress('Importing', output, { rate: 'entries' });
  const reviewing = createProgress('Reviewing', output, { rate: 'chats' });
  const learn: LearnChatsOptions = {
    ...{ model: options.model, maxCalls: options.maxCalls },
    onPlan: async (plan) => {
      importing.end();
      await agree(plan, { ...options, dryRun }, context);
    },
    onProgress: ({ done, total }) => reviewing.show(done, total),
  };
  const viewer = {
    agent: name,
    role: 'worker',
    ...(user === undefined ? {} : { user: checkUserId(user) }),
  } as const;
  try {
    const report = await workspaceImport(
      engine,
      path,
      { viewer, via: 'cli' },
      {
        ...{ from, dryRun, signal: context.closing, learn: options.learn === true && learn },
        onProgress: ({ done, total }) => importing.show(done, total),
      },
    );
    reviewing.end();
    importing.end();
    output.result(report, { text: () => importLines(report, output.paint, commandAgain(path, options)) });
  } catch (error) {
    reviewing.end();
    importing.end();
    if (!KeepsakeError.is(error) || !context.closing.aborted) throw error;
    // Closing the workspace can fail what was under way in other words.
    const message = error.code === 'ABORTED' ? error.message : 'The import was stopped.';
    throw new KeepsakeError('ABORTED', `${message}\nTo continue: ${commandAgain(path, options)}`);
  }
}

/** What the review may cost is agreed to before the first call: by a person who answers, or by --yes. */
async function agree(
  plan: LearnPlan,
  { yes, dryRun }: Pick<Options, 'yes' | 'dryRun'>,
  { output }: Context,
): Promise<void> {
  if (dryRun === true || plan.calls === 0) return;
  for (const line of planLines(plan)) output.note(line);
  if (yes === true) return;
  if (someoneIsThere()) return confirm(`Review ${counted(plan.calls, 'chat')} now?`);
  throw new KeepsakeError(
    'INVALID_INPUT',
    'The chats are imported, but were not reviewed, because stdin is not a terminal and --yes was not given.',
    { hint: 'Repeat the command with --yes. With --dry-run it only states the budget.' },
  );
}

const callCount = new Option('--max-calls <n>', 'Review at most this many chats now').argParser((text) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new InvalidArgumentError('Expected an integer from 1 to 1,000,000.');
});

export function define(command: Command, context: Context): void {
  command
    .description(
      'Imports memory: an archive that "keepsake export" made, the JSON of mem0, Zep, Letta and LangGraph, the file of the MCP memory server, the exports of Claude and ChatGPT (also as ZIP), or a folder of Markdown. Existing memories stay, and importing twice is the same as once. With --learn, a language model then reviews the chats and stores what they teach, within a budget that is stated first.',
    )
    .argument('<path>', 'File or folder to import')
    .option('--agent <name>', 'Agent that the memories belong to; an archive contains its agents')
    .option('--user <id>', 'User whom it is about, and with whom the chats were held')
    .addOption(
      new Option('--from <format>', 'Format of the file; default: detected from the content').choices(
        IMPORT_FORMATS,
      ),
    )
    .option('--dry-run', 'Only say what would be added, and what --learn would cost')
    .option('--learn', 'Review the chats with a language model, and store what they teach')
    .option('--model <id>', 'Model that reviews them; the light model of the agent if not given')
    .addOption(callCount)
    .option('--yes', 'Review without asking')
    .action(async (path: string, options: Options) => {
      refuseStdin(path);
      const ended = Promise.withResolvers<void>();
      context.beforeClosing(() => ended.promise);
      try {
        await performImport(path, options, context);
      } catch (error) {
        // Reported here: the process ends as soon as this has ended.
        if (!context.closing.aborted) throw error;
        context.exitCode = reportFailure(error, context.output, false);
      } finally {
        ended.resolve();
      }
    });
  addExamples(
    command,
    [
      'keepsake import memory.keepsake',
      'keepsake import mem0.json --agent my-agent --dry-run',
      'keepsake import ~/.mcp/memory.jsonl --agent my-agent',
      'keepsake import chatgpt-export.zip --agent my-agent --user dana@example.com',
      'keepsake import chatgpt-export.zip --agent my-agent --learn --max-calls 100',
      'keepsake import ./notes --agent my-agent',
    ],
    context,
  );
}
