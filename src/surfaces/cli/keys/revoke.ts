/** `keepsake keys revoke`: a running server refuses the key from its next request on. */
import type { Command } from 'commander';
import { keysRevoke } from '../../../operations/keys.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { oneLine } from '../terminal/printable.ts';

export function defineRevoke(command: Command, context: Context): void {
  const { output } = context;
  command
    .description('Makes a key useless for good, also for a server that is running.')
    .argument('<id>', 'Id of the key, from "keys list"')
    .action(async (id: string) => {
      await context.missingWorkspace();
      const key = await keysRevoke(id, context);
      output.result(key, {
        text: () => `${output.paint('green', '✓')} Revoked ${key.id} (${oneLine(key.name)})`,
        quiet: () => key.id,
      });
    });
  addExamples(command, ['keepsake keys revoke 3f9a1c0b7d42'], context);
}
