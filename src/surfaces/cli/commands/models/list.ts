/** `keepsake models list`: every embedding model, where it is, and what it still needs. */
import type { Command } from 'commander';
import { type EmbeddingEntry, modelsList } from '../../../../administration/models-list.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { oneLine } from '../../terminal/printable.ts';
import { renderTable } from '../../terminal/table.ts';

function stateOf({ ready, installed }: EmbeddingEntry): string {
  if (ready) return 'ready';
  return installed ? 'incomplete' : 'not installed';
}

function aboutOf({ about, where, ready, missing }: EmbeddingEntry): string {
  if (!ready) return `${about}; needs: ${missing}`;
  return where === '' ? about : `${about}; ${where}`;
}

export function defineList(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Lists the embedding models: their dimensions, where they are, and which one is configured (*).',
    )
    .action(async () => {
      const models = await modelsList(context);
      output.result(models, {
        text: () =>
          renderTable(
            {
              rows: models,
              columns: [
                { title: ' ', cell: ({ active }) => (active ? '*' : ''), paint: 'green' },
                { title: 'MODEL', cell: ({ name }) => oneLine(name), paint: 'cyan' },
                {
                  title: 'DIMENSIONS',
                  cell: ({ dimensions }) => (dimensions === null ? '–' : String(dimensions)),
                  align: 'right',
                },
                { title: 'STATE', cell: stateOf },
              ],
              long: { title: 'ABOUT', cell: (model) => oneLine(aboutOf(model)) },
            },
            output.width,
            output.paint,
          ),
        quiet: () => models.map(({ name }) => name),
      });
    });
  addExamples(command, ['keepsake models list', 'keepsake models list --json'], context);
}
