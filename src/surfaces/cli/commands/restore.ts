/** `keepsake restore`: restores a backup and keeps the previous database. */
import type { Command } from 'commander';
import { workspaceRestore } from '../../../administration/care.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { confirm, someoneIsThere } from '../terminal/confirm.ts';
import { fileTime } from '../terminal/short-time.ts';
import { counted, sizeText } from '../terminal/sizes.ts';

export function define(command: Command, context: Context): void {
  const { output, workspace, clock } = context;
  command
    .description(
      'Replaces the content of the database by that of a backup, for every process that has it open. What was there is kept in a file beside it. Works on a damaged database, too.',
    )
    .argument('<file>', 'A file created by "keepsake backup"')
    .option('--yes', 'Do not ask')
    .action(async (file: string, { yes = false }: { yes?: boolean }) => {
      if (!yes && someoneIsThere())
        await confirm(`Replace all memories of this workspace by those in ${file}?`);
      const now = clock.now();
      const report = await workspaceRestore({ workspace, file, label: fileTime(now), now });
      const { previous } = report;
      output.result(report, {
        text: () => [
          `${output.paint('green', '✓')} Restored ${output.paint('bold', report.database)} from ${report.file}`,
          `  ${counted(report.records, 'memory', 'memories')}, ${counted(report.messages, 'message')}, ${sizeText(report.bytes)}`,
          previous === undefined
            ? '  There was no database before.'
            : `  What was there before is kept in ${previous.file}${previous.intact ? '' : ' (it was damaged)'}`,
          ...(report.files.length === 0
            ? []
            : [`  ${counted(report.files.length, 'missing file')} of the workspace brought back`]),
        ],
        quiet: () => previous?.file ?? [],
      });
    });
  addExamples(
    command,
    ['keepsake restore backups/keepsake-2026-11-03_14-03-22.db', 'keepsake restore keepsake.db --yes'],
    context,
  );
}
