/** How the verbs on swarms look to a person: runs, their working memory and their messages. */
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import type { Context } from '../context.ts';
import { type Fact, factLines } from '../terminal/facts.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { counted } from '../terminal/sizes.ts';
import { renderTable } from '../terminal/table.ts';
import { conversationLines, type Message } from './log/message-lines.ts';
import { added } from './memory.ts';
import { type Answer, ownRun, type Presentations, type ShowOptions, type VerbCall } from './presentation.ts';
import { type BusMessage, type Watched, type WatchView, watchRun } from './swarm/watch.ts';

type Run = Answer<'swarmGet'>;

const COLOURS = { running: 'cyan', completed: 'green', failed: 'red', cancelled: 'yellow' } as const;

/** Prices of some models are not known, and then neither is the sum. What a stopped call cost is known to the provider alone. */
export function costText({ calls, unfinished, cost }: Run['usage']): string {
  const price = cost === null ? 'price unknown' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  const stopped = unfinished === 0 ? '' : `, without ${counted(unfinished, 'call')} that did not finish`;
  return `${counted(calls, 'call')}, ${price}${stopped}`;
}

function listed(runs: Answer<'swarmList'>, { output, clock }: Context, { input }: ShowOptions): void {
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

function runLines(run: Run, { output, clock }: Context): string[] {
  const { paint } = output;
  const now = clock.now();
  const facts: Fact[] = [
    ['id', paint('bold', run.id)],
    ['status', paint(COLOURS[run.status], run.status)],
    ['reason', run.reason === null ? undefined : printable(run.reason)],
    ['swarm', `${oneLine(run.swarm)} (${oneLine(run.type)})`],
    ['agents', run.participants.map(({ name, role }) => `${oneLine(name)} (${role})`).join(', ')],
    ['started', shortTime(run.startedAt, now)],
    ['ended', run.endedAt === null ? undefined : shortTime(run.endedAt, now)],
    ['cost', costText(run.usage)],
    ...Object.entries(run.usage.models).map(
      ([model, tally]): Fact => ['', `${oneLine(model)}: ${costText({ ...tally, models: {} })}`],
    ),
    ['result', run.result === null ? undefined : `${run.result} ${paint('dim', '(keepsake memory get)')}`],
  ];
  return [printable(run.task), '', ...factLines(facts, 10, paint)];
}

function shown(run: Run, context: Context): void {
  context.output.result(run, { text: () => runLines(run, context), quiet: () => run.status });
}

function stateShown(look: Answer<'stateGet'>, { output }: Context): void {
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

function cancelled(answer: Answer<'swarmCancel'>, { output }: Context): void {
  output.result(answer, {
    text: () =>
      answer.cancelled
        ? `${output.paint('green', '✓')} Cancelled ${output.paint('bold', answer.id)}. What was said is kept.`
        : `${output.paint('bold', answer.id)} had ended before: it is ${answer.status}.`,
    quiet: () => answer.status,
  });
}

const WATCH = { flags: '--watch', description: 'Go on with what happens, until the run ends' };

/** Prints what happens, one line each, until the run ends. */
async function follow({ engine, caller, input, context }: VerbCall, view: Partial<WatchView>): Promise<void> {
  const id = String(input.id);
  const run: Watched = {
    state: await engine.swarms.state(id, caller),
    watchMessages: (query) => engine.swarms.watchMessages({ run: id, ...query }, caller),
  };
  await watchRun(run, context, {
    print: (line) => void process.stdout.write(`${line}\n`),
    paint: context.output.paint,
    after: 0,
    ...view,
  });
}

const get = ({ engine, caller, input }: VerbCall): Promise<Run> =>
  callVerb(verbs.swarmGet, engine, { id: input.id }, caller);

async function watchedRun(call: VerbCall): Promise<Run> {
  const run = await get(call);
  if (call.options.watch !== true || run.status !== 'running') return run;
  if (!call.context.output.json) shown(run, call.context);
  await follow(call, {});
  // How it ended is the last thing to show.
  return get(call);
}

/** Null when everything has been printed on the way. */
async function watchedState(call: VerbCall): Promise<Answer<'stateGet'> | null> {
  const { engine, caller, input, options, context } = call;
  const look = await callVerb(verbs.stateGet, engine, input, caller);
  if (options.watch !== true) return look;
  if (!context.output.json) stateShown(look, context);
  await follow(call, { messages: false, after: look.version });
  return null;
}

/** Null when everything has been printed on the way. */
async function watchedMessages(call: VerbCall): Promise<Answer<'swarmMessages'> | null> {
  const { engine, caller, input, options } = call;
  if (options.watch !== true) return callVerb(verbs.swarmMessages, engine, input, caller);
  await get(call);
  const { after, from } = input as { after?: number; from?: string };
  await follow(call, { state: false, messagesAfter: after, agent: from });
  return null;
}

export const presentations: Presentations = {
  swarmTeach: { show: added },
  swarmList: { show: listed },
  swarmGet: { ownFlags: [WATCH], run: watchedRun, show: shown },
  stateGet: ownRun<Answer<'stateGet'> | null>({
    about: {
      summary: verbs.stateGet.summary,
      description:
        'Shows the working memory that the participants of a run share, or one part of it. With --watch it follows every change (who, what, when); with --json, each change is one line. It is removed when the run ends.',
    },
    ownFlags: [WATCH],
    run: watchedState,
    show: (look, context) => {
      if (look !== null) stateShown(look, context);
    },
  }),
  swarmMessages: ownRun<Answer<'swarmMessages'> | null>({
    ownFlags: [WATCH],
    run: watchedMessages,
    show: (messages, context, options) => {
      if (messages !== null) messagesShown(messages, context, options);
    },
  }),
  swarmCancel: { show: cancelled },
};
