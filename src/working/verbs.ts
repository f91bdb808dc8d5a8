/** The verbs of swarms: their runs, what is said in them, the state that a run shares, and lessons for all. */

import { defined } from '../kernel/defined.ts';
import { count, jsonValue, maybeTime, share, text, time } from '../kernel/schema-parts.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import { RUN_STATUSES } from '../ports/run-store.ts';
import { memoryOutputs } from '../records/index.ts';
import type { PatchOperation } from './json-patch.ts';
import { injectLearning, type LessonServices, learningInput } from './lessons.ts';
import * as inputs from './runs/inputs.ts';
import type { SwarmService } from './runs/swarm-service.ts';
import * as tools from './tools.ts';

export interface SwarmServices extends LessonServices {
  readonly swarms: SwarmService;
}

type Swarms = Pick<SwarmServices, 'swarms'>;

/** Programs have richer objects for these: `client.swarm()`, `client.runs`, and the `state` of a run. */
const sdk = false;
/** What those objects call on a server; no command does. */
const forOurPrograms = { sdk, cli: false } as const;
const byId: readonly CliPositional[] = [{ key: 'id', kind: 'id' }];
const when = ({ ifVersion }: { readonly ifVersion?: number | undefined }) => defined({ ifVersion });

const tally = {
  ...{ calls: count, unfinished: count, inputTokens: count, outputTokens: count },
  cost: z.number().nullable().describe('In dollars; null when a price is unknown.'),
};
const run = z.strictObject({
  ...{ id: text, swarm: text, type: text, task: text, status: z.enum(RUN_STATUSES) },
  participants: z.array(z.strictObject({ name: text, role: z.enum(['lead', 'worker', 'reader']) })),
  ...{ startedAt: time, endedAt: maybeTime },
  leaseUntil: time.describe('After this time a run without a sign of life counts as dead.'),
  leaseMs: count.describe('How long one sign of life lasts.'),
  reason: text.nullable().describe('Why it failed or was cancelled.'),
  result: text.nullable().describe('Id of its result.'),
  usage: z.strictObject({ ...tally, models: z.record(text, z.strictObject(tally)) }),
});
const result = z.strictObject({
  ...{ id: text, output: text, task: text.nullable().describe('What the swarm was asked, in one line.') },
  ...{ agent: text, run: text, date: text.describe('ISO 8601.'), type: text },
  ...{ cost: z.number().nullable(), model: text.nullable(), links: z.array(text) },
});
const resultHit = result.extend({ relevance: share, score: z.number(), explain: text });
const changed = z.strictObject({ version: count.describe('The version that the change made.') });

export const swarmTeach = defineVerb({
  name: 'swarm.teach',
  summary: 'Passes a lesson on to the swarm.',
  description:
    'For leads: stores a lesson (mistake-pattern, best-practice, codebase-knowledge or preference) that every agent of the swarm recalls, or only one worker.',
  effect: 'write',
  role: 'lead',
  needsAgent: true,
  input: z.strictObject(learningInput.shape),
  output: memoryOutputs.addedMemory,
  run: (services: LessonServices, input, caller) => injectLearning(services, input, caller),
  sdk: { at: 'memory.teach', rest: 'lesson', type: 'NewLesson' },
  cli: { examples: ['keepsake swarm teach --agent editor --learning "Check the date of every source."'] },
  tools: [tools.injectLearningTool],
});

export const swarmList = defineVerb({
  name: 'swarm.list',
  summary: 'Lists runs of swarms, newest first.',
  description:
    'Lists runs of swarms, newest first, with status, participants, cost and result. Agents see the runs that they take part in.',
  effect: 'read',
  role: 'reader',
  input: inputs.listRunsInput,
  output: z.array(run),
  run: ({ swarms }: Swarms, input, caller) => swarms.list(input, caller),
  sdk,
  cli: { nothing: [], examples: ['keepsake swarm list', 'keepsake swarm list --status running --json'] },
  tools: [tools.swarmRuns],
});

export const swarmGet = defineVerb({
  name: 'swarm.get',
  summary: 'Shows one run.',
  description: 'Shows one run: its task, status, participants, cost, and the id of its result.',
  effect: 'read',
  role: 'reader',
  input: inputs.runIdInput,
  output: run,
  run: ({ swarms }: Swarms, input, caller) => swarms.get(input, caller),
  sdk,
  cli: { positionals: byId, examples: ['keepsake swarm get <id>', 'keepsake swarm get <id> --watch'] },
});

export const swarmStart = defineVerb({
  name: 'swarm.start',
  summary: 'Starts a run.',
  description:
    'Starts a run with its own working memory, and returns it together with what earlier runs found about the task. The agents run in the calling program, which must end the run.',
  effect: 'write',
  // Beyond the role, the caller must take part in the run; for these verbs, as its lead.
  role: 'lead',
  input: inputs.startRunInput,
  output: z.strictObject({ run, earlier: z.array(resultHit) }),
  run: ({ swarms }: Swarms, input, caller) => swarms.start(input, caller),
  ...forOurPrograms,
});

export const swarmAnswer = defineVerb({
  name: 'swarm.answer',
  summary: 'Shows what a swarm answered to the same task before.',
  description:
    'Shows the latest answer of a swarm to the same task, or to one with the same meaning, with the run that it is from; null when there is none.',
  effect: 'read',
  role: 'reader',
  input: inputs.answerInput,
  output: z
    .strictObject({ run, result, similarity: z.number().describe('1 for the same words.') })
    .nullable(),
  run: ({ swarms }: Swarms, input, caller) => swarms.answer(input, caller),
  ...forOurPrograms,
});

export const swarmTouch = defineVerb({
  name: 'swarm.touch',
  summary: 'Reports that a run is alive.',
  description:
    'Keeps a run from counting as dead, which happens leaseMs after its last sign of life, and records its cost so far. Returns whether it is still running; the cost is recorded also when it is not.',
  effect: 'write',
  role: 'lead',
  input: inputs.touchRunInput,
  output: z.strictObject({ running: z.boolean() }),
  run: ({ swarms }: Swarms, input, caller) => swarms.touch(input, caller),
  ...forOurPrograms,
});

export const swarmKeep = defineVerb({
  name: 'swarm.keep',
  summary: 'Stores the result of a run.',
  description:
    'Stores the final output of a running run in the collection swarm-memory, with date, type, cost and model, where later runs find it. A run has one result.',
  effect: 'write',
  role: 'lead',
  input: inputs.keepResultInput,
  output: result.nullable(),
  run: ({ swarms }: Swarms, input, caller) => swarms.keep(input, caller),
  ...forOurPrograms,
});

export const swarmEnd = defineVerb({
  name: 'swarm.end',
  summary: 'Ends a run.',
  description:
    'Ends a run as completed, failed or cancelled; the first end counts. Its working memory is removed.',
  effect: 'destroy',
  role: 'lead',
  input: inputs.endRunInput,
  output: z.strictObject({ ended: z.boolean() }),
  run: ({ swarms }: Swarms, input, caller) => swarms.end(input, caller),
  ...forOurPrograms,
});

export const swarmCancel = defineVerb({
  name: 'swarm.cancel',
  summary: 'Stops a run, wherever it is running.',
  description:
    'Stops a run, also when another process or machine works on it: its sessions end there. What was said is kept; the working memory is removed.',
  effect: 'destroy',
  role: 'lead',
  input: inputs.cancelRunInput,
  output: z.strictObject({ id: text, cancelled: z.boolean(), status: z.enum(RUN_STATUSES) }),
  run: ({ swarms }: Swarms, input, caller) => swarms.cancel(input, caller),
  sdk,
  cli: {
    positionals: byId,
    examples: ['keepsake swarm cancel <id>', 'keepsake swarm cancel <id> --reason "The question was wrong."'],
  },
});

export const swarmMessages = defineVerb({
  name: 'swarm.messages',
  summary: 'Shows the messages of a run.',
  description:
    'Shows every message of every participant of a run in one order, oldest first, while it runs and afterwards.',
  effect: 'read',
  role: 'reader',
  input: inputs.runMessagesInput,
  output: z.array(
    z.strictObject({
      ...{ seq: count, id: text, run: text, agent: text, role: text, content: jsonValue, at: time },
    }),
  ),
  run: ({ swarms }: Swarms, input, caller) => swarms.messages(input, caller),
  sdk,
  cli: {
    positionals: byId,
    examples: [
      'keepsake swarm messages <id>',
      'keepsake swarm messages <id> --from editor',
      'keepsake swarm messages <id> --watch',
    ],
  },
  tools: [tools.runMessages],
});

export const swarmPublish = defineVerb({
  name: 'swarm.publish',
  summary: 'Puts a message on the bus of a run.',
  description: 'Puts a message of the calling participant on the bus of a run.',
  effect: 'write',
  role: 'worker',
  input: inputs.publishInput,
  output: z.strictObject({ published: z.literal(true) }),
  run: ({ swarms }: Swarms, input, caller) => swarms.publish(input, caller),
  ...forOurPrograms,
});

export const swarmNote = defineVerb({
  name: 'swarm.note',
  summary: 'Records that a participant is done with a prompt.',
  description: 'Tells observers that the calling participant has answered, or why it has not.',
  effect: 'write',
  role: 'worker',
  input: inputs.noteInput,
  output: z.strictObject({ noted: z.literal(true) }),
  run: ({ swarms }: Swarms, input, caller) => swarms.note(input, caller),
  ...forOurPrograms,
});

export const stateGet = defineVerb({
  name: 'state.get',
  summary: 'Shows the working memory of a run.',
  description: 'Shows the working memory of a run, or one part of it, with its version.',
  effect: 'read',
  role: 'reader',
  input: inputs.stateGetInput,
  output: z.strictObject({ version: count, updatedAt: time, value: jsonValue.optional() }),
  run: async ({ swarms }: Swarms, { id, path }, caller) => (await swarms.state(id, caller)).look(path),
  sdk,
  cli: {
    command: 'swarm state',
    positionals: [...byId, { key: 'path', kind: 'id' }],
    examples: [
      'keepsake swarm state <id>',
      'keepsake swarm state <id> /findings/0',
      'keepsake swarm state <id> --watch',
    ],
  },
  tools: [tools.stateGet],
});

export const stateSet = defineVerb({
  name: 'state.set',
  summary: 'Puts a value into the working memory.',
  description: 'Puts a value at a path and replaces what was there; missing objects on the way are created.',
  effect: 'write',
  role: 'worker',
  input: inputs.stateSetInput,
  output: changed,
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).set(input.path, input.value, when(input)),
  ...forOurPrograms,
  tools: [tools.stateSet],
});

export const stateMerge = defineVerb({
  name: 'state.merge',
  summary: 'Merges an object into the working memory.',
  description:
    'Merges an object into the document, or into what is at a path (RFC 7396): null removes a key.',
  effect: 'write',
  role: 'worker',
  input: inputs.stateMergeInput,
  output: changed,
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).merge(input.value, { path: input.path, ...when(input) }),
  ...forOurPrograms,
});

export const statePatch = defineVerb({
  name: 'state.patch',
  summary: 'Applies a JSON Patch to the working memory.',
  description: 'Applies a JSON Patch (RFC 6902): all of its operations, or none.',
  effect: 'write',
  role: 'worker',
  input: inputs.statePatchInput,
  output: changed,
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).patch(input.operations as PatchOperation[], when(input)),
  ...forOurPrograms,
});

export const stateAppend = defineVerb({
  name: 'state.append',
  summary: 'Appends to a list in the working memory.',
  description:
    'Adds an entry to the end of a list, which is created if it is missing. Agents that append at the same time lose nothing.',
  effect: 'write',
  role: 'worker',
  input: inputs.stateAppendInput,
  output: changed.extend({ length: count }),
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).append(input.path, input.value, when(input)),
  ...forOurPrograms,
  tools: [tools.stateAppend],
});

export const stateIncrement = defineVerb({
  name: 'state.increment',
  summary: 'Adds to a number in the working memory.',
  description: 'Adds to a number, which starts at 0.',
  effect: 'write',
  role: 'worker',
  input: inputs.stateIncrementInput,
  output: changed.extend({ value: z.number() }),
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).increment(input.path, input.by, when(input)),
  ...forOurPrograms,
});

export const stateRemove = defineVerb({
  name: 'state.remove',
  summary: 'Removes a part of the working memory.',
  description: 'Removes what is at a path; does nothing if nothing is there.',
  effect: 'write',
  role: 'worker',
  input: inputs.stateDeleteInput,
  output: changed,
  run: async ({ swarms }: Swarms, input, caller) =>
    (await swarms.state(input.id, caller)).remove(input.path, when(input)),
  ...forOurPrograms,
});

export const stateChanges = defineVerb({
  name: 'state.changes',
  summary: 'Shows who changed what in the working memory, and when.',
  description: 'Shows the changes of the working memory of a run, oldest first: who, what, when.',
  effect: 'read',
  role: 'reader',
  input: inputs.stateChangesInput,
  output: z.array(
    z.strictObject({
      ...{ run: text, version: count, at: time, by: text, path: text, value: jsonValue.optional() },
      op: z.enum(['create', 'set', 'merge', 'patch', 'append', 'increment', 'delete']),
    }),
  ),
  run: async ({ swarms }: Swarms, { id, ...query }, caller) =>
    (await swarms.state(id, caller)).changes(query),
  ...forOurPrograms,
});
