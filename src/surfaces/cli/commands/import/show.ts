/** What an import did, or would do, in words. */
import type { ImportReport } from '../../../../administration/transfer.ts';
import type { Paint } from '../../terminal/paint.ts';
import { counted } from '../../terminal/sizes.ts';

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
  const { dryRun, facts, messages, documents, skipped, failed } = report;
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
    ...line('documents', [
      [documents.added, 'added'],
      [documents.known, 'known already'],
      [documents.blocked, 'with parts that the guard refused'],
    ]),
    ...line('skipped', [[skipped, 'without anything to remember']]),
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

export function importLines(report: ImportReport, paint: Paint): string[] {
  const whose = report.agent === null ? '' : ` for ${paint('bold', report.agent)}`;
  const head = report.dryRun ? 'Would import' : `${paint('green', '✓')} Imported`;
  const lines = details(report, paint);
  return [
    `${head} from ${NAMES[report.from]}${whose}`,
    ...(lines.length === 0 ? ['  nothing: there is nothing to remember in it'] : lines),
  ];
}
