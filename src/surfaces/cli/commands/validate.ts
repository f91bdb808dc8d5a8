/** `keepsake validate`: checks the files that define agents. */
import type { Command } from 'commander';
import { agentsValidate } from '../../../administration/agents-validate.ts';
import { ERROR_TABLE } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { reportLines } from './validate/show.ts';

export function define(command: Command, context: Context): void {
  const { output } = context;
  command
    .description(
      'Checks agents/*.md: frontmatter, model with its key and package, history, trigger, prompt and tools; and that the agents of every configured swarm are there. Asks no server, opens no database and changes nothing. Fails when an agent could not run.',
    )
    .argument('[agent...]', 'Names of agents; all of them if not given')
    .action(async (names: string[]) => {
      // Refuses a mistyped --workspace.
      await context.missingWorkspace();
      const report = await agentsValidate({ workspace: context.workspace, names });
      for (const warning of report.warnings) output.note(`warning: ${warning}`);
      output.result(report, {
        text: () => reportLines(report, output),
        quiet: () => report.agents.filter(({ ok }) => !ok).map(({ name }) => name),
      });
      if (!report.ok) context.exitCode = ERROR_TABLE.INVALID_CONFIG.exit;
    });
  addExamples(
    command,
    ['keepsake validate', 'keepsake validate assistant', 'keepsake validate --json'],
    context,
  );
}
