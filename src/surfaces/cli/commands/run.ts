/** `keepsake run`: an agent does a task. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { DEFAULT_TASK, runAgent } from './run/run-agent.ts';

export function define(command: Command, context: Context): void {
  command
    .description(
      'Runs an agent that agents/<agent>.md defines. The answer goes to stdout as it comes; tools and what becomes of memory are told on stderr. Every run continues the thread of the agent, as far back as its history goes.',
    )
    .argument('<agent>', 'Name of the agent')
    .argument(
      '[task...]',
      `What to do, in words; "-" reads it from stdin, and without one it is "${DEFAULT_TASK}"`,
    )
    .action((agent: string, task: string[]) => runAgent(agent, task, context));
  addExamples(
    command,
    [
      'keepsake run assistant "What is on my list?"',
      'keepsake run news-curator',
      'keepsake run researcher --json - < question.txt',
    ],
    context,
  );
}
