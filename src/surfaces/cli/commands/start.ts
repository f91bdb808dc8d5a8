/** `keepsake start`: runs the agents that have a schedule. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { start } from './start/start.ts';

export function define(command: Command, context: Context): void {
  command
    .description(
      'Runs every agent whose frontmatter has a schedule ("every: 1h" or "cron: 0 9 * * 1-5") when its time has come, one run at a time for each. Times that passed meanwhile are reported and made up for by one run. Ctrl-C lets a run that is under way finish.',
    )
    .option('--once', 'Run what is due now, wait for it, and end')
    .action(({ once = false }: { once?: boolean }) => start({ once }, context));
  addExamples(command, ['keepsake start', 'keepsake start --once', 'keepsake start --json'], context);
}
