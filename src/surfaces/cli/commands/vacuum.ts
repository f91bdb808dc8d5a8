/** `keepsake vacuum`: rewrites the storage, so that it contains no forgotten text. */
import type { Command } from 'commander';
import { workspaceVacuum } from '../../../administration/vacuum.ts';
import type { Engine } from '../../../client/index.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { sizeText } from '../terminal/sizes.ts';
import { requireWorkspace } from './run/require-workspace.ts';

/** Also `keepsake erase --compact`. */
export async function rewriteStorage(engine: Engine, { output }: Context): Promise<void> {
  const report = await workspaceVacuum(engine);
  output.result(report, {
    text: () =>
      `${output.paint('green', '✓')} Rewrote the storage: ${sizeText(report.before)} before, ${sizeText(report.after)} now`,
  });
  for (const place of report.remains) output.note(`Forgotten text can remain in: ${place}`);
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Writes all tables and indexes again. On Postgres the text of a forgotten memory stays in the pages of its table until then (VACUUM FULL; each table is locked while it is rewritten); on SQLite it is needed only for databases above 64 MB. Names what is left elsewhere.',
    )
    .action(async () => {
      await requireWorkspace(context);
      await rewriteStorage(await context.open(), context);
    });
  addExamples(command, ['keepsake vacuum', 'keepsake vacuum --json'], context);
}
