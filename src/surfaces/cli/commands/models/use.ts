/** `keepsake models use`: changes the embedding model of the workspace, and says what follows from it. */
import { type Command, Option } from 'commander';
import {
  type UsedLateInteraction,
  useLateInteraction,
} from '../../../../administration/late-interaction-use.ts';
import { modelsUse, type UsedModel } from '../../../../administration/models-use.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';

/** Vectors of two models are never compared, so a change means work. */
function consequence({ name, vectors, inUse }: UsedModel): string {
  if (name === 'none') return 'Search goes by words alone.';
  if (inUse) return 'It is in use already: the vectors here are its own.';
  if (vectors === null)
    return `There are no vectors yet. They are made with ${name} from now on; "keepsake re-embed" makes all of them now.`;
  const present = vectors === undefined ? 'the vectors that are there' : `the vectors of ${vectors}`;
  return `Search goes on with ${present} until "keepsake re-embed" has made those of ${name}: the two are never compared.`;
}

function lateConsequence({ name, removed, overriddenBy }: UsedLateInteraction): string {
  if (name !== 'none')
    return 'Memories are read in the background; "keepsake models embed" reads all of them now.';
  const restart = 'Restart running servers: they use their model until then.';
  if (removed > 0)
    return `The token vectors of ${removed} ${removed === 1 ? 'memory' : 'memories'} were removed. ${restart}`;
  return overriddenBy === undefined
    ? `There were no token vectors. ${restart}`
    : 'No token vectors were removed.';
}

async function switchLateInteraction(name: string, { output, workspace }: Context): Promise<void> {
  const result = await useLateInteraction({ workspace, name });
  const { file, previous, overriddenBy } = result;
  const what = name === previous ? `${name}, as before` : `${name} instead of ${previous}`;
  output.result(result, {
    text: () => [
      `${output.paint('green', '✓')} Late interaction: ${what}, in ${file}`,
      `  ${lateConsequence(result)}`,
    ],
    quiet: () => file,
  });
  if (overriddenBy !== undefined) output.note(`warning: $${overriddenBy} is set and overrides the file.`);
}

export function defineUse(command: Command, context: Context): void {
  const { output, workspace } = context;
  command
    .description(
      'Writes models.embedding into the configuration of the workspace; comments stay. Vectors of different models are never mixed: those that are there stay in use until "keepsake re-embed" has made all of them again.',
    )
    .argument('<model>', 'A name from "models list", or "openai/<model>@<dimensions>" or "ollama/<model>"')
    .addOption(
      new Option(
        '--for <purpose>',
        'What the model is for. "late-interaction" writes models.lateInteraction instead: "minilm" improves the order of hits, "none" switches it off',
      )
        .choices(['embedding', 'late-interaction'])
        .default('embedding'),
    )
    .action(async (name: string, options: { for: string }) => {
      if (options.for === 'late-interaction') return switchLateInteraction(name, context);
      const result = await modelsUse({ workspace, name });
      const { file, previous, model, overriddenBy } = result;
      output.result(result, {
        text: () => [
          `${output.paint('green', '✓')} ${name === previous ? `${name}, as before` : `${name} instead of ${previous}`}, in ${file}`,
          `  ${consequence(result)}`,
        ],
        quiet: () => file,
      });
      if (model.missing !== undefined) output.note(`Before it works: ${model.missing}`);
      if (overriddenBy !== undefined) {
        output.note(`warning: $${overriddenBy} is set and overrides the file.`);
      }
    });
  addExamples(
    command,
    [
      'keepsake models use bge-small',
      'keepsake models use ollama/nomic-embed-text',
      'keepsake models use static',
      'keepsake models use minilm --for late-interaction',
    ],
    context,
  );
}
