/** `keepsake models embed`: makes the vectors that are missing now, instead of little by little. */
import type { Command } from 'commander';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { createProgress } from '../../terminal/progress.ts';
import { counted } from '../../terminal/sizes.ts';

/** For late interaction too, where it is in use. A model that cannot be opened is said, and no reason to fail. */
async function readTokens(
  lateInteraction: Awaited<ReturnType<Context['open']>>['lateInteraction'],
  { output }: Context,
): Promise<{ readonly read: number; readonly problem: string | null } | undefined> {
  if (lateInteraction === undefined) return undefined;
  const progress = createProgress('Reading for late interaction', output);
  try {
    const read = await lateInteraction.drain(({ done, total }) => progress.show(done, total));
    return { read, problem: null };
  } catch (error) {
    return { read: 0, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    progress.end();
  }
}

export function defineEmbed(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Computes missing vectors with the current model: after an import, or after the model was not available. Search works during this time; memories without a vector are found by their words.',
    )
    .action(async () => {
      const { embedder, lateInteraction } = await context.open();
      const before = await embedder.health();
      if (before?.model === null) {
        throw new KeepsakeError('UNAVAILABLE', before.problem ?? 'The embedding model cannot be opened.', {
          hint: 'Run "keepsake models list" to see what it needs.',
        });
      }
      if (before === null) {
        throw new KeepsakeError('UNSUPPORTED', 'No embedding model is in use: models.embedding is "none".', {
          hint: 'Choose one with "keepsake models use static".',
        });
      }
      const progress = createProgress('Embedding', output);
      const made = await embedder
        .drain({ onProgress: ({ done, total }) => progress.show(done, total) })
        .finally(() => progress.end());
      const health = await embedder.health();
      const late = await readTokens(lateInteraction, context);
      const report = { made, ...health, ...(late === undefined ? {} : { lateInteraction: late }) };
      output.result(report, {
        text: () =>
          made === 0
            ? `${(health?.waiting ?? 0) === 0 ? 'All ' : ''}${counted(health?.embedded ?? 0, 'memory', 'memories')} have their vectors.`
            : `${output.paint('green', '✓')} Made ${counted(made, 'vector')} with ${health?.model}.`,
        quiet: () => String(made),
      });
      if ((health?.waiting ?? 0) > 0) {
        output.note(`${counted(health?.waiting ?? 0, 'memory', 'memories')} still without a vector.`);
      }
      if (health?.problem != null) output.note(health.problem);
      if (late !== undefined)
        output.note(
          late.problem ?? `Late interaction: ${counted(late.read, 'memory', 'memories')} read now.`,
        );
    });
  addExamples(command, ['keepsake models embed', 'keepsake models embed --json'], context);
}
