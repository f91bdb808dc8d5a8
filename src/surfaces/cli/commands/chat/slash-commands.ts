/** The slash commands of a chat. */
import type { Caller } from '../../../../kernel/caller.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { nearestName } from '../../../../kernel/nearest.ts';
import { callVerb } from '../../../../kernel/verb.ts';
import { verbs } from '../../../../verbs.ts';
import { receiptLines } from '../../show/why.ts';
import { printable } from '../../terminal/printable.ts';
import { counted } from '../../terminal/sizes.ts';
import type { OpenAgent } from '../run/open-agent.ts';
import { memoryLines } from './memory.ts';

const HELP: Readonly<Record<string, string>> = {
  '/memory [words]':
    'what the agent remembers; a section by its name, or what facts and sections say about words',
  '/why': 'what went into the prompt of the last answer, and why',
  '/compact': 'replace the conversation by a summary; the log keeps all of it',
  '/help': 'this list',
  '/exit': 'leave; Ctrl-D does the same',
};
const NAMES = Object.keys(HELP).map((usage) => usage.split(' ')[0]!);

export interface Chat {
  readonly agent: OpenAgent;
  /** Sequence number of the newest event before the last prompt. */
  readonly lastPromptAt: number | undefined;
  /** Ends the session, does the work, and begins another session. */
  withNewSession<T>(work: () => Promise<T>): Promise<T>;
}

const callerOf = ({ agent: { handle } }: Chat): Caller => ({
  viewer: { agent: handle.name, role: 'worker' },
  via: 'cli',
});

async function why(chat: Chat): Promise<string[]> {
  const { lastPromptAt } = chat;
  if (lastPromptAt === undefined) return ['Nothing was asked yet.'];
  const { engine } = chat.agent;
  const caller = callerOf(chat);
  const { receipts } = await callVerb(verbs.sessionWhy, engine, { after: lastPromptAt }, caller);
  return receiptLines(receipts, engine, caller);
}

interface Summarised {
  readonly result: { readonly replaced: number; readonly archive: string | null };
  /** Why the model did not write the summary. */
  readonly warning?: string | undefined;
}

async function compact(chat: Chat): Promise<string[]> {
  const { result, warning } = await chat.withNewSession(() => summarised(chat));
  const { replaced, archive } = result;
  const kept = archive === null ? 'the log keeps all of them' : `all of it is in ${archive}`;
  return [
    `${counted(replaced, 'message')} became a summary; ${kept}.`,
    ...(warning === undefined ? [] : [`warning: ${warning}`]),
  ];
}

/** By the model that compresses the conversation of the agent; an agent without compression gets an extract. */
async function summarised(chat: Chat): Promise<Summarised> {
  const { engine, handle } = chat.agent;
  const compressor = await handle.contextCompressor;
  const done = await compressor?.compress(await handle.shortMemory);
  if (done?.result !== undefined) return { result: done.result, warning: done.warning };
  return { result: await callVerb(verbs.conversationCompact, engine, {}, callerOf(chat)) };
}

/** What a line that begins with a slash asks for. `/exit` is not among it: whoever reads the lines stops. */
export async function answerSlash(line: string, chat: Chat): Promise<string[]> {
  const [name = '', ...rest] = line.trim().split(/\s+/);
  switch (name) {
    case '/memory':
      return memoryLines(chat.agent.handle, rest.join(' '));
    case '/why':
      return why(chat);
    case '/compact':
      return compact(chat);
    case '/help': {
      const width = Math.max(...Object.keys(HELP).map((usage) => usage.length));
      return Object.entries(HELP).map(([usage, what]) => `${usage.padEnd(width)}  ${what}`);
    }
    default: {
      const near = nearestName(name, NAMES);
      throw new KeepsakeError('INVALID_INPUT', `There is no command ${printable(name)}.`, {
        hint: near === undefined ? `Use one of ${NAMES.join(', ')}.` : `Did you mean ${near}?`,
      });
    }
  }
}
