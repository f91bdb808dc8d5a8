/** What callers may ask of long-term memory: one schema per verb, shared by every surface. */

import type { JsonObject } from '../kernel/json.ts';
import { ORIGINS, SOURCES, SUGGESTED_CATEGORIES } from '../kernel/record.ts';
import { SCOPES } from '../kernel/scope.ts';
import { foldCategory } from '../kernel/trust.ts';
import { HALF_A_CHARACTER, refuseField } from '../kernel/validate.ts';
import { z } from '../kernel/zod.ts';
import { isPlainJson } from './plain-json.ts';

/** A memory is something to know, not a document; documents belong into notes or knowledge. */
export const MAX_CONTENT_CHARACTERS = 1_000_000;
const MAX_LABEL_CHARACTERS = 128;
const MAX_METADATA_CHARACTERS = 64_000;
export const MAX_LIMIT = 1_000;

const label = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `A ${what} must not be empty.`)
    .max(MAX_LABEL_CHARACTERS, `A ${what} has at most ${MAX_LABEL_CHARACTERS} characters.`)
    .regex(/^[^\p{Cc}]*$/u, `A ${what} must not contain control characters.`)
    .refine((text) => text.isWellFormed(), HALF_A_CHARACTER);

const content = z
  .string()
  .max(MAX_CONTENT_CHARACTERS, `Content has at most ${MAX_CONTENT_CHARACTERS} characters.`)
  .refine((text) => text.trim() !== '', 'Content must not be empty.')
  .describe('The text to remember.');
/** However it is spelled, a word that we give a meaning to has that meaning. */
const MEANINGFUL = new Map<string, string>(SUGGESTED_CATEGORIES.map((word) => [foldCategory(word), word]));
const category = label('category')
  .overwrite((text) => MEANINGFUL.get(foldCategory(text)) ?? text)
  .describe('fact, preference, instruction, relationship, skill_observation, or any other word.');
const confidence = z.number().min(0).max(1).describe('How sure it is, from 0 to 1.');
const scope = z
  .enum(SCOPES)
  .describe(
    'agent: private to its owner; swarm: seen by all agents (about a user: by all agents that serve this user).',
  );
const source = z.enum(SOURCES).describe('Where it came from; decides how long it lives.');
const tags = z.array(label('tag')).max(64).describe('Words to filter by.');
const metadata = z
  .custom<JsonObject>(isPlainJson, 'Metadata must be a plain JSON object.')
  .refine(
    (value) => JSON.stringify(value).length <= MAX_METADATA_CHARACTERS,
    `Metadata has at most ${MAX_METADATA_CHARACTERS} characters as JSON.`,
  )
  .meta({ type: 'object', description: 'Any JSON object, kept as it is.' });
/** The last instant that a Date can hold. */
const LAST_TIME = 8_640_000_000_000_000;
/** Before this, in 1973, a number is rather meant as seconds. */
const FIRST_EXPIRY = 100_000_000_000;
const time = z
  .union([
    z.int().nonnegative().max(LAST_TIME),
    z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  ])
  .refine((at) => at >= 0, 'A time must not lie before 1970.')
  .describe('Milliseconds since 1970, or an ISO 8601 time with its zone.');
const expiry = time
  .refine(
    (at) => at >= FIRST_EXPIRY,
    'An expiry is given in milliseconds since 1970; this looks like seconds.',
  )
  .nullable()
  .optional();
const id = z.string().min(1).max(64).describe('Id of the memory, for example mem_01k….');
const thread = label('thread');
const limit = (standard: number) =>
  z.int().min(1).max(MAX_LIMIT).default(standard).describe('How many to return at most.');

export const addInput = z.strictObject({
  content,
  category: category.default('fact'),
  confidence: confidence.default(1),
  scope: scope.default('agent'),
  source: source.default('manual'),
  tags: tags.default([]),
  metadata: metadata.default({}),
  origin: z.enum(ORIGINS).default('user').describe('Who wrote the text in the first place.'),
  pinned: z.boolean().default(false).describe('Never pruned, and always part of standing memory.'),
  thread: thread
    .optional()
    .describe('The conversation or document it belongs to; neighbouring entries improve search.'),
  validFrom: time.optional().describe('Since when it is true. Default: now.'),
  supersedes: id.optional().describe('Id of the memory that this one replaces.'),
  ifVersion: z
    .int()
    .positive()
    .optional()
    .describe('With supersedes: only if that memory is still at this version.'),
  expiresAt: expiry.describe('When it expires; null for never. Default: by source.'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('A repeated add with the same key adds nothing.'),
});

const filters = {
  category: category.optional().describe('Only this category.'),
  categories: z
    .array(category)
    .max(MAX_LIMIT)
    .optional()
    .describe('Only these categories; with category, that one too.'),
  source: source.optional().describe('Only memories from this source.'),
  swarmType: label('swarm type').optional().describe('Only results of swarms of this type.'),
  scope: scope.optional().describe('Only this scope.'),
  tags: tags.optional().describe('Only memories with all of these tags.'),
  minConfidence: confidence.optional().describe('Only memories at least this sure, from 0 to 1.'),
  since: time.optional().describe('Only memories created at or after this time.'),
  before: time.optional().describe('Only memories created before this time.'),
  pinned: z.boolean().optional().describe('Only memories that are never pruned.'),
  thread: thread.optional().describe('Only memories of this thread.'),
};

export const searchInput = z.strictObject({
  query: z.string().describe('What to look for, in plain words.'),
  limit: limit(10),
  minRelevance: confidence
    .optional()
    .describe(
      'Leave out hits below this relevance, 0 to 1; 0 returns everything. Default: only hits that are likely to be answers.',
    ),
  all: z
    .boolean()
    .default(false)
    .describe('Return everything that shares words or meaning with the question, not only likely answers.'),
  asOf: time.optional().describe('Search what was true at this time instead of now.'),
  ...filters,
});

/** A person or a program that searches without a word made a mistake; code of ours that has nothing to ask finds nothing. */
export function requireQuery(schema: z.ZodType, verb: string, query: string): void {
  if (query.trim() === '')
    refuseField(schema, verb, 'query', 'Say what to look for; to list everything, use list.');
}

const maxChars = z
  .int()
  .min(0)
  .max(10_000_000)
  .default(2_000)
  .describe('How many characters all of it may have together.');

export const standingInput = z.strictObject({ limit: limit(50), maxChars });

export const recallInput = z.strictObject({
  task: z.string().describe('What is to be done, in plain words.'),
  limit: limit(10),
  maxChars,
  standing: z
    .boolean()
    .default(true)
    .describe('Include what always applies; false when the prompt has it already.'),
  threads: z
    .int()
    .min(0)
    .max(20)
    .default(3)
    .describe(
      'How many exchanges of earlier threads to return at most, besides memories; 0 for none. Filters leave them out.',
    ),
  ...filters,
});

export const listInput = z.strictObject({
  limit: limit(50),
  after: id.optional().describe('Id of the last memory of the page before.'),
  state: z
    .enum(['live', 'expired', 'forgotten', 'any'])
    .default('live')
    .describe('State of the memories: live, expired or forgotten.'),
  ...filters,
});

export const outlineInput = listInput.omit({ limit: true, after: true }).extend({
  every: z.int().min(10).max(MAX_LIMIT).default(100).describe('How many memories a page has.'),
});

export const statsInput = z.strictObject({
  days: z.int().min(1).max(366).default(30).describe('How many days, today included (UTC).'),
});

export const pruneInput = z.strictObject({
  dryRun: z.boolean().default(false).describe('Erase nothing; only say what would be erased.'),
  source: source.optional().describe('Only memories from this source.'),
  before: time.optional().describe('Only what expired before this time.'),
});

export const idInput = z.strictObject({ id });

export const getInput = z.strictObject({
  id,
  peek: z.boolean().optional().describe('Read it without counting an access.'),
});

const changedBy = z
  .enum(ORIGINS)
  .default('user')
  .describe(
    'Origin of the change. A memory can be changed only by an origin that is trusted at least as much as its own.',
  );

export const promoteInput = z.strictObject({ id, origin: changedBy });

export const updateInput = z.strictObject({
  id,
  content: content.optional(),
  category: category.optional(),
  confidence: confidence.optional(),
  scope: scope.optional(),
  tags: tags.optional(),
  metadata: metadata.optional(),
  pinned: z.boolean().optional().describe('Never pruned.'),
  expiresAt: expiry.describe('When it expires; null for never.'),
  ifVersion: z.int().positive().optional().describe('Change it only if it is still at this version.'),
  origin: changedBy,
});

export const undoInput = z.strictObject({
  id,
  version: z
    .int()
    .positive()
    .optional()
    .describe('The version to go back to; the one before the last change if not given.'),
  ifVersion: z.int().positive().optional().describe('Change it only if it is still at this version.'),
  origin: changedBy,
});

export type AddInput = z.input<typeof addInput>;
export type SearchInput = z.input<typeof searchInput>;
export type StandingInput = z.input<typeof standingInput>;
export type RecallInput = z.input<typeof recallInput>;
export type PruneInput = z.input<typeof pruneInput>;
export type ListInput = z.input<typeof listInput>;
export type UpdateInput = z.input<typeof updateInput>;
export type UndoInput = z.input<typeof undoInput>;
export type Filters = z.output<z.ZodObject<typeof filters>>;
