/** `keepsake why`: what an agent was told before it answered, and why that. */

import type { Command } from 'commander';
import type { Caller } from '../../../kernel/caller.ts';
import { defined } from '../../../kernel/defined.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { requireWorkspace } from '../run/require-workspace.ts';
import { receiptLines } from '../why/show.ts';

const { sessionWhy } = operations;
const OWNER: Caller = { viewer: { role: 'admin' }, via: 'cli' };

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(sessionWhy.description)
    .argument('[session]', 'Id of the session; the last one if not given')
    .option('--agent <name>', 'The last session of this agent')
    .action(async (session: string | undefined, { agent }: { agent?: string }) => {
      await requireWorkspace(context);
      const engine = await context.open();
      const named = {
        ...defined({ session, agent }),
      };
      const result = await sessionWhy.run(engine, named, OWNER);
      const lines = output.json ? [] : await receiptLines(result.receipts, engine, OWNER);
      output.result(result, { text: () => lines, quiet: () => result.session });
    });
  addExamples(
    command,
    ['keepsake why', 'keepsake why --agent assistant', 'keepsake why ses_0192f0c1 --json'],
    context,
  );
}
