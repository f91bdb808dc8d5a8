/** `keepsake swarm …`: the verbs on runs, from any process. */
import { callVerb } from '../../../kernel/verb.ts';
import { verbs } from '../../../verbs.ts';
import { ownVerb, type Positional, type VerbCall, type VerbGroup, verb } from '../verbs/verb.ts';
import * as show from './show.ts';
import { type Watched, type WatchView, watchRun } from './watch.ts';

const byId: readonly Positional[] = [{ key: 'id', kind: 'id' }];
const WATCH = { flags: '--watch', description: 'Go on with what happens, until the run ends' };

/** Prints what comes, one line for each, until the run ends. */
async function follow(call: VerbCall, view: Partial<WatchView>): Promise<void> {
  const { engine, caller, input, context } = call;
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

const get = ({ engine, caller, input }: VerbCall) =>
  callVerb(verbs.swarmGet, engine, { id: String(input.id) }, caller);

const verbs = [
  verb(verbs.swarmList, {
    positionals: [],
    nothing: [],
    actsAs: 'owner',
    examples: ['keepsake swarm list', 'keepsake swarm list --status running --json'],
    show: show.listed,
  }),
  ownVerb(verbs.swarmGet, {
    name: 'show',
    positionals: byId,
    actsAs: 'owner',
    ownFlags: [WATCH],
    examples: ['keepsake swarm show <id>', 'keepsake swarm show <id> --watch'],
    run: async (call) => {
      const run = await get(call);
      if (call.options.watch !== true || run.status !== 'running') return run;
      if (!call.context.output.json) show.shown(run, call.context);
      await follow(call, {});
      // How it ended is the last thing that is told.
      return get(call);
    },
    show: (run, context) => show.shown(run, context),
  }),
  ownVerb(verbs.stateGet, {
    name: 'state',
    about: {
      summary: 'Shows the working memory of a run.',
      description:
        'Shows the working memory that the participants of a run share, or one part of it. With --watch it goes on with every change: who, what, when; with --json each is then a line of its own. It is gone when the run ends.',
    },
    positionals: [...byId, { key: 'path', kind: 'id' }],
    actsAs: 'owner',
    ownFlags: [WATCH],
    examples: [
      'keepsake swarm state <id>',
      'keepsake swarm state <id> /findings/0',
      'keepsake swarm state <id> --watch',
    ],
    run: async (call) => {
      const { engine, caller, input, context } = call;
      const look = await callVerb(verbs.stateGet, engine, input as { id: string }, caller);
      if (call.options.watch !== true) return look;
      if (!context.output.json) show.stateShown(look, context);
      await follow(call, { messages: false, after: look.version });
      return null;
    },
    show: (look, context) => {
      if (look !== null) show.stateShown(look, context);
    },
  }),
  ownVerb(verbs.swarmMessages, {
    positionals: byId,
    actsAs: 'owner',
    ownFlags: [WATCH],
    examples: [
      'keepsake swarm messages <id>',
      'keepsake swarm messages <id> --from editor',
      'keepsake swarm messages <id> --watch',
    ],
    run: async (call) => {
      const { engine, caller, input, options } = call;
      if (options.watch !== true)
        return callVerb(verbs.swarmMessages, engine, input as { id: string }, caller);
      await get(call);
      const { after, from } = input as { after?: number; from?: string };
      await follow(call, { state: false, messagesAfter: after, agent: from });
      return null;
    },
    show: (messages, context, options) => {
      if (messages !== null) show.messagesShown(messages, context, options);
    },
  }),
  verb(verbs.swarmCancel, {
    positionals: byId,
    actsAs: 'owner',
    examples: ['keepsake swarm cancel <id>', 'keepsake swarm cancel <id> --reason "The question was wrong."'],
    show: show.cancelled,
  }),
];

export const swarmVerbs: VerbGroup = {
  description:
    'Runs swarms, agents that work on one task together, and shows, follows and cancels their runs from any process.',
  whose: 'Only what this agent may see and do',
  verbs,
  examples: [
    'keepsake swarm run market "How will Norway build its hydrogen economy?"',
    'keepsake swarm list',
    'keepsake swarm show <id> --watch',
    'keepsake swarm cancel <id>',
  ],
};
