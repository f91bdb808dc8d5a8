/** `keepsake re-embed`: switches the embedding model while search keeps working. */
import type { Command } from 'commander';
import { chooseNextModel, type ReEmbedReport, reEmbedMemory } from '../../../administration/re-embed.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';
import { requireWorkspace } from './run/require-workspace.ts';

function missingLines(missing: number): string[] {
  if (missing === 0) return [];
  const whose = missing === 1 ? 'its text' : 'their texts';
  return [`  ${counted(missing, 'memory', 'memories')} without one: the model could not take ${whose}.`];
}

function headLines({ model, previous, switched, made, kept, missing }: ReEmbedReport): string[] {
  if (!switched && made > 0)
    return [`Made ${counted(made, 'vector')} with ${model}; no other model was in use.`];
  if (!switched) return [`${missing === 0 ? 'All' : 'The'} vectors are of ${model} already`];
  const earlier = kept === 0 ? '' : `, and ${kept} by an earlier call`;
  return [
    `${model} instead of ${previous}`,
    `  ${counted(made, 'vector')} made now${earlier}; search uses them from this moment on.`,
  ];
}

function lines(report: ReEmbedReport, tick: string): string[] {
  const [first, ...rest] = headLines(report);
  return [`${tick} ${first}`, ...rest, ...missingLines(report.missing)];
}

export function define(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Rebuilds the vectors of all memories with another embedding model. Searches use the old vectors until all new ones are complete; then one step switches over. If it is interrupted, run it again: it continues where it stopped.',
    )
    .option('--model <name>', 'As in "models use", which it does first; without it, the configured one')
    .action(async ({ model }: { model?: string }) => {
      await requireWorkspace(context);
      if (model !== undefined) await chooseNextModel({ workspace, name: model });
      const engine = await context.open();
      const progress = createProgress('Embedding', output);
      const report = await reEmbedMemory(engine, {
        signal: context.closing,
        onProgress: ({ done, total }) => progress.show(done, total),
      }).finally(() => progress.end());
      output.result(report, {
        text: () => lines(report, output.paint('green', '✓')),
        quiet: () => String(report.made),
      });
    });
  addExamples(
    command,
    ['keepsake re-embed --model bge-small', 'keepsake re-embed', 'keepsake re-embed --json'],
    context,
  );
}
