/** `keepsake migrate`: all that lasts into another storage, and the block of configuration that makes it the one in use. */
import type { Command } from 'commander';
import {
  type MigrateProgress,
  type MigrateReport,
  workspaceMigrate,
} from '../../../administration/migrate.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { migrateLines } from './migrate/show.ts';

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
