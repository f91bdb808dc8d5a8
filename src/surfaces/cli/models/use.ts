/** `keepsake models use`: changes the embedding model of the workspace, and says what follows from it. */
import type { Command } from 'commander';
import { modelsUse, type UsedModel } from '../../../operations/models-use.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';

/** Vectors of two models are never compared, so a change means work. */
function consequence({ name, previous }: UsedModel): string {
  if (name === 'none') return 'Search goes by words alone from now on.';
  const before = previous === 'none' ? '' : `Those of ${previous} are not compared with them. `;
  return `Vectors are made anew with ${name}, from the stored texts. ${before}Until they are there, search goes by words. "keepsake models embed" makes them now.`;
}

export function defineUse(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Writes models.embedding into the configuration of the workspace; comments stay. Vectors of different models are never mixed: all are made again from the stored texts.',
    )
    .argument('<model>', 'A name from "models list", or "openai/<model>@<dimensions>" or "ollama/<model>"')
    .action(async (name: string) => {
      const result = await modelsUse({ workspace, name });
      const { changed, file, previous, model, overriddenBy } = result;
      output.result(result, {
        text: () => [
          `${output.paint('green', '✓')} ${changed ? `${name} instead of ${previous}` : `${name}, as before`}, in ${file}`,
          ...(changed ? [`  ${consequence(result)}`] : []),
        ],
        quiet: () => file,
      });
      if (model.missing !== undefined) output.note(`Before it works: ${model.missing}`);
      if (overriddenBy !== undefined) {
        output.note(`warning: $${overriddenBy} is set and goes on winning over the file.`);
      }
    });
  addExamples(
    command,
    [
      'keepsake models use bge-small',
      'keepsake models use ollama/nomic-embed-text',
      'keepsake models use static',
    ],
    context,
  );
}
