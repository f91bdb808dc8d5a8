/** `keepsake migrate`: copies everything into another storage, and prints the configuration that makes it the one in use. */
import type { Command } from 'commander';
import {
  type MigrateProgress,
  type MigrateReport,
  workspaceMigrate,
} from '../../../administration/migrate.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import type { Paint } from '../terminal/paint.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';

type Seals = Extract<MigrateReport, { outcome: 'planned' }>['source'];
type Kind = keyof Seals;

const NAMES: Readonly<Record<Kind, string>> = {
  records: 'memories',
  versions: 'versions',
  keys: 'keys',
  vectors: 'vectors',
  messages: 'messages',
  threads: 'views',
  quarantine: 'refused',
  items: 'items',
  events: 'events',
};

const TARGETS: Readonly<Record<'empty' | 'unfinished' | 'used', string>> = {
  empty: 'It is empty.',
  unfinished: 'A migration of this source was interrupted there, and would go on.',
  used: 'It holds something already, so the two would only be compared.',
};

function sealLines(seals: Seals, withChecksums: boolean): string[] {
  return (Object.keys(NAMES) as Kind[]).map((kind) => {
    const { count, sha256 } = seals[kind];
    const checksum = withChecksums ? `  sha256 ${sha256.slice(0, 16)}…` : '';
    return `  ${NAMES[kind].padEnd(10)}${String(count).padStart(8)}${checksum}`;
  });
}

function leftLines({ runsLeft }: MigrateReport): string[] {
  if (runsLeft === 0) return [];
  return [
    `  ${counted(runsLeft, 'run')} of swarms, with their states and messages, stay where they are: their results are memories.`,
  ];
}

/** What changed, if this was not the first attempt. */
function resumedLines(report: Exclude<MigrateReport, { outcome: 'planned' }>): string[] {
  const { records, messages } = report.carried;
  if (records.present + records.replaced + messages.present + messages.replaced === 0) return [];
  const sum = (key: 'added' | 'present' | 'replaced') => records[key] + messages[key];
  return [
    `  ${sum('added')} carried now, ${sum('present')} there already, ${sum('replaced')} brought up to date`,
  ];
}

function migrateLines(report: MigrateReport, paint: Paint): string[] {
  const route = `${report.from}\n  to ${paint('bold', report.to)}`;
  if (report.outcome === 'planned') {
    return [
      `Would carry from ${route}`,
      `  ${TARGETS[report.target]}`,
      ...sealLines(report.source, false),
      ...leftLines(report),
    ];
  }
  const head = report.outcome === 'same' ? 'The same is there already, from' : 'Carried from';
  return [
    `${paint('green', '✓')} ${head} ${route}`,
    ...(report.outcome === 'same' ? [] : resumedLines(report)),
    '  The same on both sides:',
    ...sealLines(report.verified, true),
    ...leftLines(report),
    '',
    'Nothing uses it yet. To go over to it, write this into keepsake.jsonc and restart what is running:',
    `  "storage": ${JSON.stringify(report.storage, null, 2).replaceAll('\n', '\n  ')}`,
    ...(report.storage.driver === 'postgres'
      ? ['A password stays out of the file: $KEEPSAKE_STORAGE_URL takes the whole address.']
      : []),
  ];
}

interface Options {
  readonly from?: string;
  readonly to: string;
  readonly dryRun?: boolean;
}

function progressFor(context: Context): { show(progress: MigrateProgress): void; end(): void } {
  const bars = {
    carrying: createProgress('Carrying', context.output),
    verifying: createProgress('Comparing', context.output),
  };
  return {
    show: ({ stage, done, total }) => bars[stage].show(done, total),
    end: () => {
      for (const bar of Object.values(bars)) bar.end();
    },
  };
}

export function define(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Carries memories with all versions, the log, the quarantine and the events from one storage into another that is empty, and compares both by counts and checksums. Nothing in the source changes. When it is interrupted, run it again: it goes on, and carries nothing twice.',
    )
    .option('--from <storage>', '"sqlite:<file>" or "postgresql://…"; the configured one if not given')
    .requiredOption('--to <storage>', '"sqlite:<file>" or "postgresql://…"')
    .option('--dry-run', 'Only say what would be carried')
    .action(async ({ from, to, dryRun }: Options) => {
      const progress = progressFor(context);
      const report: MigrateReport = await workspaceMigrate({
        ...{ workspace, from, to, dryRun, signal: context.closing },
        onProgress: (each) => progress.show(each),
      }).finally(() => progress.end());
      output.result(report, { text: () => migrateLines(report, output.paint), quiet: () => report.to });
    });
  addExamples(
    command,
    [
      'keepsake migrate --to postgresql://me@db.example/keepsake --dry-run',
      'keepsake migrate --to "$DATABASE_URL"',
      'keepsake migrate --from "$DATABASE_URL" --to sqlite:data/keepsake.db',
    ],
    context,
  );
}
