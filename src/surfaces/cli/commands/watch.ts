/** `keepsake watch`: the events of all processes that use a workspace, as they happen. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { KeepsakeEvent } from '../../../kernel/events.ts';
import { checkAgentName } from '../../../kernel/names.ts';
import type { Context } from '../context.ts';
import { addExamples } from '../examples.ts';
import { eventLine } from './watch/event-line.ts';
import { EVENT_GROUPS, EVENT_TYPES } from './watch/event-types.ts';

interface Options {
  readonly agent?: string;
  readonly type?: readonly string[];
  readonly since?: number;
}

const POLL_MS = 250;
const PAGE = 500;

/** A name that no event has would be waited for in vain. */
function typeName(text: string, before: readonly string[] = []): readonly string[] {
  if (EVENT_TYPES.some((type) => type === text || type.startsWith(`${text}.`))) return [...before, text];
  throw new InvalidArgumentError(
    `Expected ${EVENT_GROUPS.join(', ')}, or a single type such as memory.wrote.`,
  );
}

function seq(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected the number of an event, 0 for all.');
}

/** `memory` represents every event of memory. */
function matcher({ agent, type }: Options): (event: KeepsakeEvent) => boolean {
  return (event) =>
    (agent === undefined || event.agent === agent) &&
    (type === undefined || type.some((name) => event.type === name || event.type.startsWith(`${name}.`)));
}

async function follow(options: Options, context: Context): Promise<void> {
  const { output, closing, clock } = context;
  const { storage } = await context.open();
  const matches = matcher(options);
  let after = options.since ?? (await storage.events.latest());
  output.note('Watching; Ctrl-C ends it.');
  // Nobody reads on when the other end of the pipe is closed.
  while (!closing.aborted && process.stdout.writable) {
    try {
      const page = await storage.events.read({ after, limit: PAGE });
      after = page.at(-1)?.seq ?? after;
      for (const event of page.filter(matches)) {
        const line = output.json
          ? output.jsonLine(event)
          : output.quiet
            ? String(event.seq)
            : eventLine(event, clock.now(), output.paint);
        process.stdout.write(`${line}\n`);
      }
      if (page.length < PAGE) await pause(POLL_MS, undefined, { signal: closing });
    } catch (error) {
      // The files are being closed because of a Ctrl-C.
      if (closing.aborted) return;
      throw error;
    }
  }
}

export function define(command: Command, context: Context): void {
  command
    .description(
      'Prints the events of the workspace as they happen, whichever process causes them; with --json one per line.',
    )
    .option('--agent <name>', 'Only what is about this agent')
    .option(
      '--type <name>',
      'Only events of this type, such as memory.wrote or memory; may be repeated',
      typeName,
    )
    .option('--since <number>', 'First those after this event; 0 for all that are stored', seq)
    .action(async (options: Options) => {
      if (options.agent !== undefined) checkAgentName(options.agent);
      await follow(options, context);
    });
  addExamples(
    command,
    ['keepsake watch', 'keepsake watch --agent my-agent --type memory', 'keepsake watch --since 0 --json'],
    context,
  );
}
