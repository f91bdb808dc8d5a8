/** `keepsake import`: an export of Keepsake, the memory of another system, or a folder of Markdown. */
import { type Command, Option } from 'commander';
import {
  IMPORT_FORMATS,
  type ImportFormat,
  type ImportReport,
  workspaceImport,
} from '../../../administration/transfer.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import type { Paint } from '../terminal/paint.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';

const MOST_CONFLICTS = 10;

const NAMES: Readonly<Record<ImportReport['from'], string>> = {
  keepsake: 'an archive of Keepsake',
  mem0: 'mem0',
  'server-memory': 'the MCP memory server',
  claude: 'Claude',
  chatgpt: 'ChatGPT',
  markdown: 'Markdown',
};

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
        [records.present, 'there already'],
        [records.forgotten, 'forgotten here, which stay so'],
      ]),
      ...line('messages', [
        [messages.added, 'added'],
        [messages.present, 'there already'],
      ]),
      ...line('files', [
        [files.added, 'added'],
        [files.present, 'there already'],
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
function next(report: ImportReport): string[] {
  if (report.from === 'keepsake' || report.dryRun || report.messages.added === 0) return [];
  return [
    '  The chats are in no prompt. To find what was said in them:',
    `    keepsake log search "your words" --agent ${report.agent} --all-threads`,
  ];
}

function importLines(report: ImportReport, paint: Paint): string[] {
  const whose = report.agent === null ? '' : ` for ${paint('bold', report.agent)}`;
  const head = report.dryRun ? 'Would import' : `${paint('green', '✓')} Imported`;
  const lines = [...details(report, paint), ...next(report)];
  return [
    `${head} from ${NAMES[report.from]}${whose}`,
    ...(lines.length === 0 ? ['  nothing: there is nothing to remember in it'] : lines),
  ];
}

interface Options {
  readonly agent?: string;
  readonly from?: ImportFormat;
  readonly dryRun?: boolean;
}

/** "-" is no file here: an archive is read twice. */
function refuseStdin(path: string): void {
  if (path !== '-') return;
  throw new KeepsakeError('INVALID_INPUT', 'An import is read from a file or folder, not from stdin.', {
    hint: 'Save it first; "keepsake log import -" takes a single conversation from stdin.',
  });
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Imports memory: an archive that "keepsake export" made, the JSON of mem0, the file of the MCP memory server, the exports of Claude and ChatGPT (also as ZIP), or a folder of Markdown. Existing memories stay, and importing twice is the same as once.',
    )
    .argument('<path>', 'File or folder to import')
    .option('--agent <name>', 'Agent that is to remember it; an archive says so itself')
    .addOption(
      new Option('--from <format>', 'What it is, if the content should not decide').choices(IMPORT_FORMATS),
    )
    .option('--dry-run', 'Only say what would be added')
    .action(async (path: string, { agent, from, dryRun }: Options) => {
      refuseStdin(path);
      const engine = await context.open();
      const name = checkAgentName(agent ?? engine.config.name);
      const progress = createProgress('Importing', output);
      const report = await workspaceImport(
        engine,
        path,
        { viewer: { agent: name, role: 'worker' }, via: 'cli' },
        {
          ...{ from, dryRun, signal: context.closing },
          onProgress: ({ done, total }) => progress.show(done, total),
        },
      ).finally(() => progress.end());
      output.result(report, { text: () => importLines(report, output.paint) });
    });
  addExamples(
    command,
    [
      'keepsake import memory.keepsake',
      'keepsake import mem0.json --agent my-agent --dry-run',
      'keepsake import ~/.mcp/memory.jsonl --agent my-agent',
      'keepsake import chatgpt-export.zip --agent my-agent',
      'keepsake import ./notes --agent my-agent',
    ],
    context,
  );
}
