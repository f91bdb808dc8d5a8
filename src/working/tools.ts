/** Swarms as models use them: lessons of a lead, and runs with their shared state for agents outside of Keepsake. */

import { defined } from '../kernel/defined.ts';
import { defineToolOf } from '../kernel/tool-projection.ts';
import { z } from '../kernel/zod.ts';
import type { BusMessage } from '../ports/message-bus.ts';
import type { RunRecord } from '../ports/run-store.ts';
import type { AddedMemory } from '../records/index.ts';
import { learningInput } from './lessons.ts';
import type * as inputs from './runs/inputs.ts';
import type { Changed, StateLook } from './shared-state.ts';

const run = z.string().describe('Id of the run, as swarm_runs shows it.');
const path = z
  .string()
  .describe('Where in the shared document: a JSON Pointer such as /findings/0, or "" for all of it.');
const value = z.unknown().describe('Any JSON: an object, a list, a text, a number.');
/** The verbs call the run their id. */
const renamed = { id: 'run', ifVersion: 'if_version' };
const changed = z.object({ version: z.number() });
/** Agents of a run have its state as tools of the run itself; these are for programs that connect through MCP. */
const forMcp = { pack: 'state', offered: 'mcp' } as const;

/** What the cap on facts of the worker made leave search, so that the lead can teach it again or raise the cap. */
function pushedOut(id: string, pruned: readonly string[]): string[] {
  if (pruned.length === 0) return [];
  const others = pruned.filter((each) => each !== id);
  return [
    'The worker has reached memory.maxEntries.',
    ...(others.length === 0 ? [] : [`These left its search: ${others.join(', ')}.`]),
    ...(pruned.includes(id)
      ? [
          'This lesson left search immediately, because it was the weakest. Pin it, or raise memory.maxEntries.',
        ]
      : []),
  ];
}

export const injectLearningTool = defineToolOf<z.input<typeof learningInput>, AddedMemory>({
  name: 'inject-learning',
  pack: 'swarm',
  place: 4,
  title: 'Pass a lesson on',
  description: 'For leads: passes a lesson on to every agent of the swarm, or to one of them.',
  idempotent: true,
  input: learningInput,
  output: z.object({ id: z.string(), outcome: z.string(), pruned: z.array(z.string()) }),
  answer: ({ id, outcome, pruned }) => ({
    structured: { id, outcome, pruned: [...pruned] },
    text: [`Passed on as ${id}.`, ...pushedOut(id, pruned)].join(' '),
  }),
});

export const swarmRuns = defineToolOf<z.input<typeof inputs.listRunsInput>, readonly RunRecord[]>({
  ...forMcp,
  name: 'swarm_runs',
  place: 1,
  title: 'List runs',
  description: 'Lists the runs of swarms that you take part in, newest first.',
  input: z.object({ status: z.enum(['running', 'completed', 'failed', 'cancelled']).default('running') }),
  toInput: ({ status }) => ({ status: status as RunRecord['status'], limit: 20 }),
  output: z.object({
    runs: z.array(z.object({ id: z.string(), swarm: z.string(), status: z.string(), task: z.string() })),
  }),
  answer: (found) => {
    const runs = found.map(({ id, swarm, status, task }) => ({ id, swarm, status, task }));
    const text = runs.map(({ id, swarm, task }) => `[${id}] ${swarm}: ${task}`).join('\n');
    return { structured: { runs }, text: text || 'You take part in no such run.' };
  },
});

export const stateGet = defineToolOf<z.input<typeof inputs.stateGetInput>, StateLook>({
  ...forMcp,
  name: 'state_get',
  place: 2,
  title: 'Read the working memory',
  description:
    'Shows the working memory that all participants of a run share, or one part of it, and its version.',
  renamed,
  input: z.object({ run, path: path.default('') }),
  toInput: (args) => ({ id: String(args.run), path: String(args.path) }),
  output: z.object({ version: z.number(), value: z.unknown() }),
  answer: (look) => {
    const { version, value: found = null } = look;
    const text =
      look.value === undefined ? `Nothing is there (version ${version}).` : JSON.stringify(look, null, 2);
    return { structured: { version, value: found }, text };
  },
});

export const stateSet = defineToolOf<z.input<typeof inputs.stateSetInput>, Changed>({
  ...forMcp,
  name: 'state_set',
  place: 3,
  title: 'Change the working memory',
  description:
    'Puts a value into the working memory of a run and replaces what was there. To add to a list, use state_append.',
  idempotent: true,
  renamed,
  input: z.object({
    ...{ run, path, value },
    if_version: z.int().optional().describe('Only if the document is still at this version.'),
  }),
  toInput: (args) => ({
    ...{ id: String(args.run), path: String(args.path), value: args.value ?? null },
    ...defined({ ifVersion: args.if_version as number | undefined }),
  }),
  output: changed,
  answer: ({ version }, { args }) => ({
    structured: { version },
    text: `Set ${String(args.path)}; the document is at version ${version}.`,
  }),
});

export const stateAppend = defineToolOf<
  z.input<typeof inputs.stateAppendInput>,
  Changed & { readonly length: number }
>({
  ...forMcp,
  name: 'state_append',
  place: 4,
  title: 'Share a finding',
  description:
    'Adds one entry to the end of a list in the working memory of a run, for example a finding to /findings.',
  idempotent: false,
  renamed,
  input: z.object({ run, path, value }),
  toInput: (args) => ({ id: String(args.run), path: String(args.path), value: args.value ?? null }),
  output: changed.extend({ length: z.number() }),
  answer: ({ version, length }, { args }) => ({
    structured: { version, length },
    text: `Appended to ${String(args.path)}: entry ${length}.`,
  }),
});

export const runMessages = defineToolOf<z.input<typeof inputs.runMessagesInput>, readonly BusMessage[]>({
  ...forMcp,
  name: 'run_messages',
  place: 5,
  title: 'Read what was said',
  description: 'Shows what the agents of a run said and did, oldest first.',
  renamed,
  input: z.object({
    run,
    after: z.int().optional().describe('Only messages after this number.'),
    from: z.string().optional().describe('Only messages in the conversation of this agent.'),
    limit: z.int().min(1).max(100).default(20),
  }),
  toInput: ({ run: id, ...query }) => ({ id: String(id), ...query }),
  output: z.object({
    messages: z.array(
      z.object({ seq: z.number(), agent: z.string(), role: z.string(), content: z.unknown() }),
    ),
  }),
  answer: (found) => {
    const messages = found.map(({ seq, agent, role, content }) => ({ seq, agent, role, content }));
    const lines = messages.map(
      ({ seq, agent, role, content }) =>
        `[${seq}] ${agent === role ? agent : `${agent} ← ${role}`}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
    );
    return { structured: { messages }, text: lines.join('\n') || 'There are no more messages.' };
  },
});
