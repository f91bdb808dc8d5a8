/** `keepsake export`: writes all memory into one file for `keepsake import`. */
import type { Command } from 'commander';
import { workspaceExport } from '../../../administration/transfer.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted, sizeText } from '../terminal/sizes.ts';
import { requireWorkspace } from './run/require-workspace.ts';

interface Options {
  readonly agent?: string;
  readonly user?: string;
  readonly force?: boolean;
}

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Writes memories with all versions, conversations, archives, sections, notes and the configuration into one file, while other processes keep writing. Keys and passwords are not exported.',
    )
    .argument('<file>', 'File to write, for example memory.keepsake')
    .option('--agent <name>', 'Only what belongs to this agent')
    .option('--user <id>', 'Only what is about this user, for example to answer an access request')
    .option('--force', 'Overwrite a file that exists')
    .action(async (file: string, { agent, user, force }: Options) => {
      await requireWorkspace(context);
      const engine = await context.open();
      const progress = createProgress('Exporting', output);
      const report = await workspaceExport(engine, file, {
        agent: agent === undefined ? undefined : checkAgentName(agent),
        user,
        force,
        signal: context.closing,
        onProgress: ({ done, total }) => progress.show(done, total),
      }).finally(() => progress.end());
      output.result(report, {
        text: () => [
          `${output.paint('green', '✓')} Exported to ${output.paint('bold', report.file)}`,
          `  ${counted(report.records, 'memory', 'memories')}, ${counted(report.messages, 'message')}, ${counted(report.files, 'file')}, ${sizeText(report.bytes)}`,
        ],
        quiet: () => report.file,
      });
    });
  addExamples(
    command,
    [
      'keepsake export memory.keepsake',
      'keepsake export alice.keepsake --agent alice',
      'keepsake export dana.keepsake --user dana@example.com',
    ],
    context,
  );
}
