/** `keepsake migrate`: copies everything into another storage, and prints the configuration that makes it the one in use. */
import type { Command } from 'commander';
import {
  abandonMigration,
  type MigrateOptions,
  type MigrateProgress,
  type MigrateReport,
  workspaceMigrate,
} from '../../../administration/migrate.ts';
import { readEnvironmentOf, readSecretFile } from '../../../administration/secrets.ts';
import { withoutPassword } from '../../../kernel/addresses.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { reportFailure } from '../failures.ts';
import type { Output } from '../output.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
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
  unfinished: 'A migration of this source was interrupted there and would continue.',
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
  return [`  ${sum('added')} copied now, ${sum('present')} already present, ${sum('replaced')} updated`];
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
  const head =
    report.outcome === 'same' ? 'Nothing to copy: the target already has everything from' : 'Copied from';
  return [
    `${paint('green', '✓')} ${head} ${route}`,
    ...(report.asideAs === undefined ? [] : [`  What was there before is now in ${report.asideAs}.`]),
    ...(report.outcome === 'same' ? [] : resumedLines(report)),
    '  The same on both sides:',
    ...sealLines(report.verified, true),
    ...leftLines(report),
    '',
    'Nothing uses it yet. To switch to it, put this into keepsake.jsonc and restart running programs:',
    `  "storage": ${JSON.stringify(report.storage, null, 2).replaceAll('\n', '\n  ')}`,
    ...(report.storage.driver === 'postgres'
      ? ['A password stays out of the file: $KEEPSAKE_STORAGE_URL takes the whole address.']
      : []),
  ];
}

interface Options {
  readonly from?: string;
  readonly fromEnv?: string;
  readonly fromFile?: string;
  readonly to?: string;
  readonly toEnv?: string;
  readonly toFile?: string;
  readonly dryRun?: boolean;
  readonly setAside?: boolean;
  readonly abandon?: boolean;
}

/** Named, or read from where no list of processes shows it. */
function storageOf(side: 'from' | 'to', options: Options, output: Output): string | undefined {
  const given = options[side];
  const variable = options[`${side}Env`];
  const file = options[`${side}File`];
  if ([given, variable, file].filter((each) => each !== undefined).length > 1) {
    throw new KeepsakeError(
      'INVALID_INPUT',
      `--${side}, --${side}-env and --${side}-file exclude each other.`,
      {
        hint: 'Give one of them.',
      },
    );
  }
  if (variable !== undefined) return namedStorage(`$${variable}`, readEnvironmentOf(variable));
  if (file !== undefined) return namedStorage(file, readSecretFile(file));
  if (given !== undefined && withoutPassword(given) !== given) {
    output.note(
      `warning: everybody on this machine can read the password of --${side} in the list of processes. Use --${side}-env or --${side}-file.`,
    );
  }
  return given;
}

function namedStorage(place: string, text: string | undefined): string {
  const storage = text?.trim() ?? '';
  if (storage !== '') return storage;
  throw new KeepsakeError('INVALID_INPUT', `${place} is empty or not set.`, {
    hint: 'It should hold "sqlite:<file>" or "postgresql://…".',
  });
}

function progressFor(context: Context): { show(progress: MigrateProgress): void; end(): void } {
  const bars = {
    carrying: createProgress('Carrying', context.output, { rate: 'entries' }),
    verifying: createProgress('Comparing', context.output, { rate: 'entries' }),
  };
  return {
    show: ({ stage, done, total }) => bars[stage].show(done, total),
    end: () => {
      for (const bar of Object.values(bars)) bar.end();
    },
  };
}

async function abandon(to: string, { output, workspace }: Context): Promise<void> {
  const report = await abandonMigration({ workspace, to });
  const kept =
    report.asideAs === undefined ? 'There was nothing in it.' : `What it held is now in ${report.asideAs}.`;
  output.result(report, {
    text: () => [`${output.paint('green', '✓')} Gave up the migration to ${report.to}`, `  ${kept}`],
    quiet: () => report.asideAs ?? [],
  });
}

/** Where a person can be asked, an older target is put aside on their word. */
async function migrateAsking(options: MigrateOptions): Promise<MigrateReport> {
  try {
    return await workspaceMigrate(options);
  } catch (error) {
    const isUsed = KeepsakeError.is(error) && error.code === 'CONFLICT' && 'differing' in error.details;
    if (!isUsed || options.setAside === true || options.dryRun === true || !someoneIsThere()) throw error;
    if (!error.message.startsWith('The target holds')) throw error;
    await confirm(
      'The target holds memories of its own. Keep them under another name, and begin with an empty one?',
    );
    return workspaceMigrate({ ...options, setAside: true });
  }
}

async function perform(options: Options, context: Context): Promise<void> {
  const { output, workspace } = context;
  const to = storageOf('to', options, output);
  if (to === undefined) {
    throw new KeepsakeError('INVALID_INPUT', 'The target is missing.', {
      hint: 'Name it with --to, --to-env or --to-file.',
    });
  }
  if (options.abandon === true) return abandon(to, context);
  const from = storageOf('from', options, output);
  const { dryRun, setAside } = options;
  const progress = progressFor(context);
  const report = await migrateAsking({
    ...{ workspace, from, to, dryRun, setAside, signal: context.closing },
    onProgress: (each) => progress.show(each),
  }).finally(() => progress.end());
  output.result(report, { text: () => migrateLines(report, output.paint), quiet: () => report.to });
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Copies memories with all versions, the log, the quarantine and the events from one storage into an empty one, and compares both by counts and checksums. The source is not changed. If it is interrupted, run it again: it continues, and copies nothing twice.',
    )
    .option('--from <storage>', '"sqlite:<file>" or "postgresql://…"; the configured one if not given')
    .option('--from-env <variable>', 'The variable of the environment that holds it')
    .option('--from-file <file>', 'The file that holds it')
    .option('--to <storage>', '"sqlite:<file>" or "postgresql://…"')
    .option(
      '--to-env <variable>',
      'The variable of the environment that holds it, so that no list of processes shows its password',
    )
    .option('--to-file <file>', 'The file that holds it')
    .option('--dry-run', 'Only say what would be carried')
    .option('--set-aside', 'Keep what the target holds under another name, and begin with an empty one')
    .option('--abandon', 'Give up an interrupted migration: its unfinished copy is kept under another name')
    .action(async (options: Options) => {
      const ended = Promise.withResolvers<void>();
      context.beforeClosing(() => ended.promise);
      try {
        await perform(options, context);
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
      'keepsake migrate --to postgresql://me@db.example/keepsake --dry-run',
      'keepsake migrate --to-env DATABASE_URL',
      'keepsake migrate --from-env DATABASE_URL --to sqlite:data/keepsake.db --set-aside',
      'keepsake migrate --to-env DATABASE_URL --abandon',
    ],
    context,
  );
}
