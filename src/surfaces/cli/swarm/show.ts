/** How runs, their working memory and their messages look to a person; with --json they are printed as they are. */
import type { Context } from '../context.ts';
import { conversationLines, type Message, messageText } from '../log/message-lines.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import { padEnd } from '../terminal/width.ts';
import type { Answer, ShowOptions } from '../verbs/verb.ts';

type Run = Answer<'swarmGet'>;
export type BusMessage = Answer<'swarmMessages'>[number];

const COLOURS = { running: 'cyan', completed: 'green', failed: 'red', cancelled: 'yellow' } as const;

export function messageWords({ content }: BusMessage): string {
  return messageText(content as Parameters<typeof messageText>[0]);
}

/** Prices of some models are not known, and then neither is the sum. */
export function costText({ calls, cost }: Run['usage']): string {
  const price = cost === null ? 'price unknown' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  return `${counted(calls, 'call')}, ${price}`;
}

export function listed(runs: Answer<'swarmList'>, { output, clock }: Context, { input }: ShowOptions): void {
  const { paint } = output;
  const now = clock.now();
  output.result(runs, {
    text: () =>
      runs.length === 0
        ? 'No swarm has run yet.'
        : renderTable(
            {
              rows: runs,
              columns: [
                { title: 'WHEN', cell: (run) => shortTime(run.startedAt, now), paint: 'dim' },
                { title: 'STATUS', cell: (run) => run.status },
                { title: 'SWARM', cell: (run) => oneLine(run.swarm), max: 24, paint: 'magenta' },
                {
                  title: 'COST',
                  cell: ({ usage: { cost } }) => (cost === null ? '?' : `$${cost.toFixed(4)}`),
                  align: 'right',
                },
                { title: 'ID', cell: (run) => run.id, paint: 'bold' },
              ],
              long: { title: 'TASK', cell: (run) => oneLine(run.task) },
            },
            output.width,
            paint,
          ),
    quiet: () => runs.map(({ id }) => id),
  });
  const limit = (input.limit as number | undefined) ?? 50;
  if (runs.length === limit) output.note('There may be more: raise --limit.');
}

export function runLines(run: Run, { output, clock }: Context): string[] {
  const { paint } = output;
  const now = clock.now();
  const facts: [name: string, value: string | undefined][] = [
    ['id', paint('bold', run.id)],
    ['status', paint(COLOURS[run.status], run.status)],
    ['reason', run.reason === null ? undefined : printable(run.reason)],
    ['swarm', `${oneLine(run.swarm)} (${oneLine(run.type)})`],
    ['agents', run.participants.map(({ name, role }) => `${oneLine(name)} (${role})`).join(', ')],
    ['started', shortTime(run.startedAt, now)],
    ['ended', run.endedAt === null ? undefined : shortTime(run.endedAt, now)],
    ['cost', costText(run.usage)],
    ...Object.entries(run.usage.models).map(([model, tally]): [string, string] => [
      '',
      `${oneLine(model)}: ${costText({ ...tally, models: {} })}`,
    ]),
    ['result', run.result === null ? undefined : `${run.result} ${paint('dim', '(keepsake memory get)')}`],
  ];
  return [
    printable(run.task),
    '',
    ...facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `  ${paint('dim', padEnd(name, 10))}${value}`),
  ];
}

export function shown(run: Run, context: Context): void {
  context.output.result(run, { text: () => runLines(run, context), quiet: () => run.status });
}

export function stateShown(look: Answer<'stateGet'>, { output }: Context): void {
  const { version, value } = look;
  output.result(look, {
    text: () => (value === undefined ? 'Nothing is there.' : printable(JSON.stringify(value, null, 2))),
    quiet: () => String(version),
  });
  output.note(`version ${version}`);
}

/** With whose conversation it is part of. */
function inConversation(message: BusMessage): Message {
  const { id, run, at, agent, role } = message;
  const content = message.content as Message['content'];
  return { ...{ id, run, at, content, metadata: {} }, role: role === agent ? agent : `${agent} ← ${role}` };
}

export function messagesShown(
  messages: Answer<'swarmMessages'>,
  context: Context,
  { input }: ShowOptions,
): void {
  const { output } = context;
  output.result(messages, {
    text: () =>
      messages.length === 0 ? 'Nothing was said.' : conversationLines(messages.map(inConversation), context),
    quiet: () => messages.map(({ id }) => id),
  });
  const limit = (input.limit as number | undefined) ?? 100;
  if (messages.length === limit) output.note(`There may be more: add --after ${messages.at(-1)?.seq}`);
}

export function cancelled(answer: Answer<'swarmCancel'>, { output }: Context): void {
  output.result(answer, {
    text: () =>
      answer.cancelled
        ? `${output.paint('green', '✓')} Cancelled ${output.paint('bold', answer.id)}. What was said is kept.`
        : `${output.paint('bold', answer.id)} had ended before: it is ${answer.status}.`,
    quiet: () => answer.status,
  });
}
