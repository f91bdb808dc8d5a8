/** What callers may ask of swarms: one schema per verb, shared by every surface. */
import { z } from '../../kernel/zod.ts';
import { RUN_STATUSES } from '../../ports/run-store.ts';
import { PATIENT_LEASE_MS } from '../rules/run-life.ts';
import { CACHE_KINDS } from './answer-cache.ts';

const MAX_TASK = 100_000;
const MAX_PARTICIPANTS = 1_000;

const text = z.string().min(1).max(120);
const id = z.string().min(1).max(64).describe('Id of the run, for example run_01k….');

const tally = {
  calls: z.int().min(0),
  unfinished: z.int().min(0),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  cost: z.number().min(0).nullable(),
};
const usage = z
  .strictObject({ ...tally, models: z.record(z.string().max(200), z.strictObject(tally)) })
  .describe('What its models were asked, and what it cost in dollars.');

export const runIdInput = z.strictObject({ id });

export const listRunsInput = z.strictObject({
  swarm: text.optional().describe('Only runs of this swarm.'),
  status: z.enum(RUN_STATUSES).optional().describe('Only runs with this status.'),
  limit: z.int().min(1).max(1_000).default(50).describe('How many to return at most.'),
});

export const startRunInput = z.strictObject({
  swarm: text.describe('Name of the swarm.'),
  type: text.default('research').describe('Type of the swarm, stored with its results.'),
  task: z
    .string()
    .max(MAX_TASK)
    .refine((task) => task.trim() !== '', {
      message: 'There is no task: say in words what the swarm shall do.',
    })
    .describe('What the swarm shall do, in words.'),
  participants: z
    .array(z.strictObject({ name: z.string(), role: z.enum(['lead', 'worker', 'reader']) }))
    .min(1)
    .max(MAX_PARTICIPANTS)
    .describe('The participants and their roles.'),
  state: z
    .unknown()
    .optional()
    .describe('What the working memory holds at the start, besides topic, findings and status.'),
  leaseMs: z
    .int()
    .min(1_000)
    .max(PATIENT_LEASE_MS)
    .default(PATIENT_LEASE_MS)
    .describe(
      'Milliseconds after the last sign of life (swarm.touch) after which the run counts as dead. With the default, a day, changes of its working memory are signs of life, too.',
    ),
});

export const answerInput = z.strictObject({
  swarm: text.describe('Name of the swarm.'),
  task: z.string().max(MAX_TASK).describe('The task, in words.'),
  cache: z
    .enum(CACHE_KINDS)
    .default('exact')
    .describe('exact: the same words; semantic: also what means the same.'),
});

export const touchRunInput = z.strictObject({ id, usage: usage.optional() });

export const endRunInput = z.strictObject({
  id,
  status: z.enum(['completed', 'failed', 'cancelled']).describe('How the run ended.'),
  reason: z.string().max(10_000).nullable().default(null).describe('Why it failed or was cancelled.'),
  result: text.nullable().default(null).describe('Id of the result of the run.'),
  usage: usage.optional(),
});

export const cancelRunInput = z.strictObject({
  id,
  reason: z.string().max(10_000).default('It was cancelled.').describe('The reason, shown with the run.'),
});

export const keepResultInput = z.strictObject({
  id,
  output: z.string().optional().describe('The final output. Without it, only the snapshot is stored.'),
  links: z.array(text).max(100).default([]).describe('Ids of earlier results that it builds on.'),
  usage: usage.optional(),
  snapshot: z.boolean().default(false).describe('Keeps the working memory as a record as well.'),
});

export const runMessagesInput = z.strictObject({
  id,
  after: z.int().min(0).optional().describe('Only messages after this number.'),
  from: z.string().optional().describe('Only the conversation of this participant.'),
  limit: z.int().min(1).max(1_000).default(100).describe('How many to return at most.'),
});

export const publishInput = z.strictObject({
  id,
  message: z
    .strictObject({
      id: text,
      role: text,
      content: z.unknown(),
      at: z.int(),
      passing: z.boolean().default(true),
    })
    .describe('The text of the message. It is removed when the run ends.'),
});

export const noteInput = z.strictObject({
  id,
  failure: z.string().max(64).optional().describe('The error code, if the participant failed.'),
});

const path = z
  .string()
  .max(10_000)
  .describe('Where in the document: a key, a JSON Pointer such as /findings/0, or nothing for all of it.');
const ifVersion = z
  .int()
  .min(0)
  .optional()
  .describe('Only if the document is still at this version; else it fails with CONFLICT.');
const value = z.unknown().describe('Any JSON.');

export const stateGetInput = z.strictObject({ id, path: path.default('') });
export const stateSetInput = z.strictObject({ id, path, value, ifVersion });
export const stateMergeInput = z.strictObject({
  ...{ id, path: path.default(''), ifVersion },
  value: z.unknown().describe('What to merge (RFC 7396): null removes a key.'),
});
export const statePatchInput = z.strictObject({
  id,
  operations: z.array(z.unknown()).describe('A JSON Patch (RFC 6902); all of it is done, or nothing.'),
  ifVersion,
});
export const stateAppendInput = z.strictObject({ id, path, value, ifVersion });
export const stateIncrementInput = z.strictObject({
  ...{ id, path, ifVersion },
  by: z.number().default(1).describe('How much to add.'),
});
export const stateDeleteInput = z.strictObject({ id, path, ifVersion });
export const stateChangesInput = z.strictObject({
  id,
  after: z.int().min(0).default(0).describe('Only changes after this version.'),
  limit: z.int().min(1).max(1_000).default(100).describe('How many to return at most.'),
});
