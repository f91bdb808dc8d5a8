/** `keepsake chat`: talks with an agent. */
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { chatWith } from './chat/chat.ts';

export function define(command: Command, context: Context): void {
  command
    .description(
      'Talks with an agent that agents/<agent>.md defines, and goes on where the last chat or run ended. In the chat, /memory, /why, /compact, /help and /exit are commands; Ctrl-C stops an answer, Ctrl-D leaves. From a pipe, every line is a prompt.',
    )
    .argument('<agent>', 'Name of the agent')
    .action((agent: string) => chatWith(agent, context));
  addExamples(
    command,
    ['keepsake chat assistant', 'echo "What did we decide?" | keepsake chat assistant'],
    context,
  );
}
