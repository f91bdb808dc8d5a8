/** `keepsake keys create`: a new key, whose secret is printed this once. */

import { type Command, Option } from 'commander';
import { keysCreate } from '../../../../administration/keys.ts';
import { defined } from '../../../../kernel/defined.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { ROLES, type Role } from '../../../../kernel/scope.ts';
import type { Context } from '../../context.ts';
import { addExamples } from '../../examples.ts';

/** A key belongs to a workspace, and must not make one by the way. */
async function refuseMissing(context: Context): Promise<void> {
  const root = await context.missingWorkspace();
  if (root === undefined) return;
  throw new KeepsakeError('NOT_FOUND', `There is no workspace at ${root}.`, {
    hint: 'Create it with "keepsake init", or name another one with --workspace.',
  });
}

export function defineCreate(command: Command, context: Context): void {
  const { output } = context;
  command
    .description('Makes a key. What is stored is its hash, so nobody can show it again.')
    .argument('<name>', 'What the key is for, in your words')
    .addOption(
      new Option('--role <role>', 'What it may do; worker if not given').choices(ROLES).default('worker', ''),
    )
    .option('--agent <name>', 'The one agent that it speaks for; needed for workers and readers')
    .action(async (name: string, { role, agent }: { role: Role; agent?: string }) => {
      await refuseMissing(context);
      const made = await keysCreate({ name, role, ...defined({ agent }) }, context);
      output.result(made, {
        text: () => [
          `${output.paint('green', '✓')} ${made.role} key ${made.id}${agent === undefined ? '' : ` of ${agent}`}`,
          `  ${output.paint('bold', made.key)}`,
        ],
        quiet: () => made.key,
      });
      output.note('Keep it now: it is not shown again.');
    });
  addExamples(
    command,
    [
      'keepsake keys create laptop --role worker --agent my-agent',
      'keepsake keys create dashboard --role reader --agent my-agent --json',
      'keepsake keys create ops --role admin',
    ],
    context,
  );
}
