/** `keepsake keys revoke`: a running server refuses the key from its next request on. */
import type { Command } from 'commander';
import { keysRevoke } from '../../../../administration/keys.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';
import { oneLine } from '../../terminal/printable.ts';

export function defineRevoke(command: Command, context: Context): void {
  const { output } = context;
  command
    .description('Makes a key useless for good, also for a server that is running.')
    .argument('<key>', 'Id or name of the key, from "keys list"')
    .action(async (key: string) => {
      await context.missingWorkspace();
      const revoked = await keysRevoke(key, context);
      output.result(revoked, {
        text: () => `${output.paint('green', '✓')} Revoked ${revoked.id} (${oneLine(revoked.name)})`,
        quiet: () => revoked.id,
      });
    });
  addExamples(command, ['keepsake keys revoke laptop', 'keepsake keys revoke 3f9a1c0b7d42'], context);
}
