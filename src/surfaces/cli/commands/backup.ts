/** `keepsake backup`: a consistent copy of the database while others write. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { workspaceBackup } from '../../../administration/care.ts';
import { locate } from '../../../administration/target.ts';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { fileTime } from '../terminal/short-time.ts';
import { counted, sizeText } from '../terminal/sizes.ts';

/** Opening would make an empty database, and a backup of nothing is a false comfort. */
function refuseNothing(database: string): void {
  if (existsSync(database)) return;
  throw new KeepsakeError('NOT_FOUND', `There is nothing to back up: ${database} does not exist yet.`, {
    hint: 'It is created with the first memory. Use --workspace for another workspace.',
  });
}

export function define(command: Command, context: Context): void {
  const { output, workspace, clock } = context;
  command
    .description(
      'Copies the database through its own engine, while it is in use: Postgres with pg_dump, and settings, agents and keys of the workspace beside it. An existing file is never overwritten.',
    )
    .argument(
      '[file]',
      'File to write; <workspace>/backups/keepsake-<time>.db (.dump of Postgres) if not given',
    )
    .action(async (file: string | undefined) => {
      const progress = createProgress('Backing up', output);
      const { paths, config } = locate({ workspace });
      // A server is asked itself.
      if (config.storage.records.driver === 'sqlite') refuseNothing(paths.database);
      const engine = await context.open();
      const report = await workspaceBackup(engine, {
        root: engine.paths.root,
        file,
        label: fileTime(clock.now()),
        onProgress: ({ done, total }) => progress.show(done, total),
      }).finally(() => progress.end());
      output.result(report, {
        text: () => [
          `${output.paint('green', '✓')} Backed up to ${output.paint('bold', report.file)}`,
          `  ${counted(report.records, 'memory', 'memories')}, ${counted(report.messages, 'message')}, ${sizeText(report.bytes)}`,
          output.paint('dim', `  sha256 ${report.sha256}`),
          ...(report.files === undefined ? [] : [`  Settings, agents and keys: ${report.files}`]),
        ],
        quiet: () => report.file,
      });
    });
  addExamples(
    command,
    ['keepsake backup', 'keepsake backup /mnt/safe/keepsake.db', 'keepsake backup --quiet'],
    context,
  );
}
