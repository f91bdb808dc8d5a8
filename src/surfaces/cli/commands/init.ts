/** `keepsake init`: makes a folder a workspace and says what to do next. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import { workspaceInit } from '../../../administration/init.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { invocation, quoted } from '../invocation.ts';

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Turns a folder into a workspace: creates a commented keepsake.jsonc and private folders. Existing files are not changed.',
    )
    .argument('[folder]', 'Folder to use; if not given, $WORKSPACE_DIR, else the current one')
    .option('--name <agent>', 'Default agent, used when a command names none')
    .action((folder: string | undefined, { name }: { name?: string }) => {
      const result = workspaceInit({ folder: folder ?? context.workspace, name });
      const { paint } = output;
      const { root, created, kept } = result;
      const shown = (path: string): string => relative(root, path) || root;
      const isHere = root === process.cwd();
      output.result(result, {
        text: () => [
          created.length === 0
            ? `${paint('green', '✓')} ${root} is a workspace already; nothing was changed.`
            : `${paint('green', '✓')} ${root} is a workspace now.`,
          ...created.map((path) => `  ${paint('green', '+')} ${shown(path)}`),
          ...(created.length === 0 ? [] : kept.map((path) => `  ${paint('dim', `= ${shown(path)} (kept)`)}`)),
          '',
          'Next:',
          ...(isHere ? [] : [`  cd ${quoted(relative(process.cwd(), root))}`]),
          `  ${invocation(undefined, root)} memory add "Prefers short answers."`,
          `  ${invocation(undefined, root)} memory search "answers"`,
        ],
        quiet: () => root,
      });
    });
  addExamples(
    command,
    ['keepsake init', 'keepsake init ~/assistant --name assistant', 'keepsake init --json'],
    context,
  );
}
