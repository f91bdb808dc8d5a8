/** `keepsake run`: one task for an agent, in the thread that all of its runs share. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { readStdin } from '../read-stdin.ts';
import { printAnswer } from './run/answer.ts';
import { interruptible } from './run/interruption.ts';
import { noteMemory } from './run/memory-notes.ts';
import { withAgent } from './run/open-agent.ts';
import { waitForReview } from './run/wait-for-review.ts';

/** What an agent is told that needs no telling: its prompt says what to do. */
export const DEFAULT_TASK = 'Begin.';

async function taskFrom(words: readonly string[], context: Context): Promise<string> {
  if (words.length === 1 && words[0] === '-') return readStdin((text) => context.output.note(text));
  return words.length === 0 ? DEFAULT_TASK : words.join(' ');
}

async function runAgent(name: string, words: readonly string[], context: Context): Promise<void> {
  const { output } = context;
  const task = await taskFrom(words, context);
  await interruptible((signal) =>
    withAgent(name, context, async ({ client, handle }) => {
      const session = await handle.session({ kind: 'task' });
      const quiet = noteMemory(client, session, (text) => output.note(text));
      try {
        const answered = await printAnswer(session, task, output, signal);
        const result = { agent: name, session: session.id, ...answered };
        if (output.json) output.result(result, { text: () => [] });
      } finally {
        await waitForReview(session, output, signal);
        quiet();
      }
    }),
  );
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Runs an agent that agents/<agent>.md defines. The answer goes to stdout as it comes; tools and changes of memory are reported on stderr. Every run continues the thread of the agent, as far back as its history setting allows.',
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
