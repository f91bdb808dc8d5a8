/** `keepsake chat`: a conversation on the terminal, or with a pipe. An answer that fails does not end it. */
import type { Command } from 'commander';
import { ERROR_TABLE, KeepsakeError, toKeepsakeError } from '../../../kernel/errors.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { errorLines } from '../failures.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../terminal/printable.ts';
import { counted } from '../terminal/sizes.ts';
import { ensureAgentFile } from './chat/agent-file.ts';
import { type LineReader, pipedLines, terminalLines } from './chat/line-reader.ts';
import { answerSlash, type Chat } from './chat/slash-commands.ts';
import { printAnswer } from './run/answer.ts';
import { interruptible } from './run/interruption.ts';
import { noteMemory } from './run/memory-notes.ts';
import { type OpenAgent, openAgent, type Session, withAgent } from './run/open-agent.ts';
import { waitForReview } from './run/wait-for-review.ts';

const LEAVING = /^\/(exit|quit)$/;

class TerminalChat implements Chat {
  agent: OpenAgent;
  lastPromptAt: number | undefined;
  readonly #context: Context;
  readonly #over: AbortSignal;
  #session: Session | undefined;
  #stopNotes: () => void = () => {};
  /** Of the answer that is under way. */
  #answering: AbortController | undefined;

  constructor(agent: OpenAgent, context: Context, over: AbortSignal) {
    this.agent = agent;
    this.#context = context;
    this.#over = over;
  }

  async say(prompt: string): Promise<void> {
    const { client, engine } = this.agent;
    const { output } = this.#context;
    this.#session ??= await this.agent.handle.session();
    this.#stopNotes();
    this.#stopNotes = noteMemory(client, this.#session, (text) => output.note(text));
    this.lastPromptAt = await engine.storage.events.latest();
    this.#answering = new AbortController();
    try {
      const { signal } = this.#answering;
      const { text, ...answered } = await printAnswer(this.#session, prompt, output, signal);
      if (output.json) {
        process.stdout.write(`${output.jsonLine({ session: this.#session.id, text, ...answered })}\n`);
      }
    } finally {
      this.#answering = undefined;
    }
  }

  /** Stops the answer that is under way; false when there is none. */
  interrupt(): boolean {
    this.#answering?.abort();
    return this.#answering !== undefined;
  }

  async withNewSession<T>(work: () => Promise<T>): Promise<T> {
    await this.end();
    const result = await work();
    // The conversation of the old handle still holds what was replaced.
    this.agent = await openAgent(this.agent.client, this.agent.definition);
    return result;
  }

  async end(): Promise<void> {
    if (this.#session !== undefined) await waitForReview(this.#session, this.#context.output, this.#over);
    this.#session = undefined;
    this.#stopNotes();
  }
}

async function greet({ handle, definition }: OpenAgent, { output }: Context): Promise<void> {
  const turns = await (await handle.shortMemory).turns();
  const past =
    turns.length === 0 ? 'nothing was said before' : `${counted(turns.length, 'message')} from before`;
  const about = definition.description === undefined ? '' : ` · ${oneLine(definition.description)}`;
  output.note(`${oneLine(handle.name)}${about}`);
  output.note(`${past} · /help lists the commands, /exit leaves`);
}

function showLines(command: string, lines: readonly string[], { json }: Output): void {
  const text = json ? JSON.stringify({ command, lines }) : lines.join('\n');
  process.stdout.write(`${text}\n`);
}

/** Without a model there is nobody to talk to, whatever is said. */
const HOPELESS: readonly string[] = ['UNSUPPORTED', 'UNAUTHORIZED', 'INVALID_CONFIG'];

/** A text of several lines that begins with a slash was pasted, and is not a command. */
const isCommand = (line: string): boolean => line.startsWith('/') && !line.includes('\n');

/** Until there are no more lines, or it is over. Resolves to the first error that was shown. */
async function talk(
  chat: TerminalChat,
  lines: LineReader,
  output: Output,
  over: AbortSignal,
): Promise<KeepsakeError | undefined> {
  let failure: KeepsakeError | undefined;
  for (;;) {
    const line = (await lines.next())?.trim();
    if (line === undefined || over.aborted || LEAVING.test(line)) return failure;
    if (line === '') continue;
    try {
      if (isCommand(line)) showLines(line, await answerSlash(line, chat), output);
      else await chat.say(line);
    } catch (thrown) {
      const error = toKeepsakeError(thrown);
      if (HOPELESS.includes(error.code)) throw error;
      if (over.aborted) return failure;
      failure ??= error;
      process.stderr.write(`${errorLines(error, output).join('\n')}\n`);
    }
  }
}

async function chatWith(name: string, create: boolean, context: Context): Promise<void> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const { output } = context;
  await ensureAgentFile(name, { create, isTerminal }, context);
  await withAgent(name, context, async (agent) => {
    await interruptible(async (over) => {
      const chat = new TerminalChat(agent, context, over);
      over.addEventListener('abort', () => chat.interrupt());
      if (isTerminal) await greet(agent, context);
      const paint = (text: string): string => output.paintError('cyan', text);
      const onInterrupt = (): void => {
        if (!chat.interrupt()) output.note('(/exit or Ctrl-D leaves)');
      };
      const lines = isTerminal ? terminalLines({ paint, onInterrupt }) : pipedLines();
      over.addEventListener('abort', () => lines.close());
      try {
        const failure = await talk(chat, lines, output, over);
        // A script that pipes a prompt has to know; a person has seen it.
        if (failure !== undefined && !isTerminal) context.exitCode = ERROR_TABLE[failure.code].exit;
      } finally {
        lines.close();
        await chat.end();
      }
      if (over.aborted) throw new KeepsakeError('ABORTED', 'The chat was stopped.');
    });
  });
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Talks with an agent that agents/<agent>.md defines, and continues where the last chat or run ended. In the chat, /memory, /why, /compact, /help and /exit are commands; Ctrl-C stops an answer or clears the line, Ctrl-D leaves. From a pipe, every line is a prompt, and the exit code says whether one failed.',
    )
    .argument('<agent>', 'Name of the agent')
    .option('--create', 'Create agents/<agent>.md if it does not exist')
    .action((agent: string, { create = false }: { create?: boolean }) => chatWith(agent, create, context));
  addExamples(
    command,
    ['keepsake chat assistant', 'echo "What did we decide?" | keepsake chat assistant'],
    context,
  );
}
