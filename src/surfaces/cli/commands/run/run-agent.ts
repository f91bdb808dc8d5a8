/** `keepsake run`: one task for an agent, in the thread that all of its runs share. */
import type { Context } from '../../context.ts';
import { readStdin } from '../../read-stdin.ts';
import { printAnswer } from './answer.ts';
import { interruptible } from './interruption.ts';
import { noteMemory } from './memory-notes.ts';
import { withAgent } from './open-agent.ts';
import { waitForReview } from './wait-for-review.ts';

/** What an agent is told that needs no telling: its prompt says what to do. */
export const DEFAULT_TASK = 'Begin.';

async function taskFrom(words: readonly string[], context: Context): Promise<string> {
  if (words.length === 1 && words[0] === '-') return readStdin((text) => context.output.note(text));
  return words.length === 0 ? DEFAULT_TASK : words.join(' ');
}

export async function runAgent(name: string, words: readonly string[], context: Context): Promise<void> {
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
