/** `keepsake completion`: what a shell needs to complete commands, flags and names of agents. */
import { Argument, type Command } from 'commander';
import { COMMANDS } from '../command-table.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { completionScript, SHELLS, type Shell } from './completion/shells.ts';
import { commandTree } from './completion/tree.ts';

export function define(command: Command, context: Context): void {
  command
    .description(
      'Prints a script that completes commands, flags, their values and the names of agents; its first line says where it goes.',
    )
    .addArgument(new Argument('<shell>', 'Your shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      // Only here, and not above: the tree holds this command too.
      const { buildProgram } = await import('../program.ts');
      const names = COMMANDS.map(({ name }) => name);
      const script = completionScript(shell, commandTree(await buildProgram(context, names)));
      context.output.result(
        { shell, script },
        { text: () => script.trimEnd(), quiet: () => script.trimEnd() },
      );
    });
  addExamples(
    command,
    [
      'source <(keepsake completion bash)',
      'source <(keepsake completion zsh)',
      'keepsake completion fish > ~/.config/fish/completions/keepsake.fish',
    ],
    context,
  );
}
