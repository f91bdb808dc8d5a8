/** `keepsake reindex`: rebuilds every index. */
import type { Command } from 'commander';
import { workspaceReindex } from '../../../administration/reindex.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { createProgress } from '../terminal/progress.ts';
import { counted } from '../terminal/sizes.ts';
import { requireWorkspace } from './run/require-workspace.ts';

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Rebuilds every index of the storage from its memories, messages and vectors: after a manual repair, or when a search finds less than it should. Searches work during this time; writes wait. "re-embed" rebuilds the vectors themselves.',
    )
    .action(async () => {
      await requireWorkspace(context);
      const engine = await context.open();
      const progress = createProgress('Indexing', output);
      const report = await workspaceReindex(engine, {
        onProgress: ({ done, total }) => progress.show(done, total),
      }).finally(() => progress.end());
      output.result(report, {
        text: () =>
          `${output.paint('green', '✓')} Indexed ${counted(report.records, 'memory', 'memories')}, ${counted(report.messages, 'message')} and ${counted(report.vectors, 'vector')} again`,
      });
    });
  addExamples(command, ['keepsake reindex', 'keepsake reindex --json'], context);
}
