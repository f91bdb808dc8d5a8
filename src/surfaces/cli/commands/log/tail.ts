/** `keepsake log tail`: the newest messages, and with --follow whatever any process adds, until Ctrl-C. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { defined } from '../../../../kernel/defined.ts';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import { type AnyVerb, callVerb } from '../../../../kernel/verb.ts';
import { verbs } from '../../../../verbs.ts';
import type { Context } from '../../context.ts';
import { defineVerb } from '../../project.ts';
import { type Message, messageLines } from '../../show/log/message-lines.ts';
import { found } from '../../show/log.ts';
import { ownRun, type VerbCall } from '../../show/presentation.ts';

const POLL_MS = 300;
const PAGE = 1_000;

/** Null when everything has been printed on the way. */
async function tail(call: VerbCall): Promise<readonly Message[] | null> {
  const { engine, caller, input, options } = call;
  const newest = await callVerb(verbs.logGet, engine, input, caller);
  if (options.follow !== true) return newest;
  const print = printer(call);
  print(newest);
  await follow(call, newest, print);
  return null;
}

/** One message at a time, as a reader of a stream needs it: paragraphs for people, a line of JSON for programs. */
function printer({ context }: VerbCall): (messages: readonly Message[]) => void {
  const { output } = context;
  let isFirst = true;
  return (messages) => {
    for (const message of messages) {
      const lines = output.json
        ? [output.jsonLine(message)]
        : output.quiet
          ? [message.id]
          : [...(isFirst ? [] : ['']), ...messageLines(message, context)];
      isFirst = false;
      process.stdout.write(`${lines.join('\n')}\n`);
    }
  };
}

async function follow(
  { engine, caller, input, context }: VerbCall,
  shown: readonly Message[],
  print: (messages: readonly Message[]) => void,
): Promise<void> {
  const { closing } = context;
  const { limit: _limit, ...where } = input;
  const seen = shown.map(({ id }) => id);
  // Nobody reads on when the other end of the pipe is closed.
  while (!closing.aborted && process.stdout.writable) {
    const last = seen.at(-1);
    const query = { ...where, limit: PAGE, ...defined({ after: last }) };
    try {
      const fresh = await callVerb(verbs.logGet, engine, query, caller);
      print(fresh);
      seen.push(...fresh.map(({ id }) => id));
      seen.splice(0, seen.length - PAGE);
      if (fresh.length < PAGE) await pause(POLL_MS, undefined, { signal: closing });
    } catch (error) {
      // The files are being closed because of a Ctrl-C.
      if (closing.aborted) return;
      // A write that failed was taken back; what was there before it is still a place to continue from.
      if (!KeepsakeError.is(error) || error.code !== 'NOT_FOUND' || seen.pop() === undefined) throw error;
    }
  }
}

/** The verb log.get with other defaults. */
const logTail: AnyVerb = {
  ...verbs.logGet,
  description:
    'Shows the newest messages of an agent. With --follow it also shows new messages of all processes until Ctrl-C; with --json, each message is one line.',
  cli: {
    ...{ actsAs: 'default-agent', nothing: [], without: ['before', 'after'], defaults: { limit: 10 } },
    examples: ['keepsake log tail', 'keepsake log tail --follow --agent my-agent'],
  },
};

export function define(command: Command, context: Context): void {
  const presentation = ownRun<readonly Message[] | null>({
    ownFlags: [{ flags: '-f, --follow', description: 'Go on with what is added, until Ctrl-C' }],
    run: tail,
    show: (messages) => {
      if (messages !== null) found(messages, context);
    },
  });
  const whose = 'Whose conversation it is; else the default agent';
  defineVerb(command, { verb: logTail, presentation, whose }, context);
}
