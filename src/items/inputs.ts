/** What callers may ask of items: one schema per verb, shared by every surface. */

import type { JsonValue } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';
import { namespacePath } from './rules/namespace-path.ts';

const MAX_LABEL_CHARACTERS = 256;
const MAX_LABELS = 32;
/** What an index of Postgres can hold, with room for the names of agents. */
const MAX_PATH_CHARACTERS = 2_000;
const MAX_KEY_CHARACTERS = 1_024;
const MAX_WRITES = 10_000;
const MAX_TEXTS = 256;
const MAX_TEXT_CHARACTERS = 1_000_000;
export const MAX_LIMIT = 1_000;

const wellFormed = (text: string): boolean => text.isWellFormed();
const WELL_FORMED = 'Must be well-formed Unicode.';
const label = z
  .string()
  .min(1, 'A label must not be empty.')
  .max(MAX_LABEL_CHARACTERS, `A label has at most ${MAX_LABEL_CHARACTERS} characters.`)
  .refine(wellFormed, WELL_FORMED);
const labels = z
  .array(label)
  .max(MAX_LABELS, `A namespace has at most ${MAX_LABELS} labels.`)
  .refine(
    (value) => !value.every(wellFormed) || namespacePath(value).length <= MAX_PATH_CHARACTERS,
    'The namespace is too long.',
  );
const namespace = labels
  .min(1, 'A namespace has at least one label.')
  .describe('Where the item is: labels from the outermost to the innermost, for example ["users", "42"].');
const prefix = labels
  .default([])
  .describe('Only items of this namespace and of those below it; empty for all of them.');
const key = z
  .string()
  .min(1, 'A key must not be empty.')
  .max(MAX_KEY_CHARACTERS, `A key has at most ${MAX_KEY_CHARACTERS} characters.`)
  .refine(wellFormed, WELL_FORMED)
  .describe('Name of the item, exact; unique in its namespace.');
const limit = (standard: number) =>
  z.int().min(1).max(MAX_LIMIT).default(standard).describe('How many to return at most.');
const offset = z.int().min(0).default(0).describe('How many to skip.');
const ifRevision = z
  .string()
  .nullable()
  .optional()
  .describe('Fails with CONFLICT unless the item is at this revision; null: unless there is none.');
const value = z
  .custom<JsonValue>((given) => given !== undefined && isJson(given), 'Must be a JSON value.')
  .meta({ description: 'Any JSON value, kept as it is.' });
const whose = {
  agent: z.string().optional().describe('For the owner of the workspace: only items of this agent.'),
  user: z.string().optional().describe('For the owner of the workspace: only items of this user.'),
};
const filter = z
  .record(z.string(), z.custom<JsonValue>(isJson, 'Must be a JSON value.'))
  .optional()
  .describe(
    'Only items whose value has these fields: { "status": "open" }, or with an operator { "age": { "$gte": 18 } }: $eq, $ne, $gt, $gte, $lt, $lte.',
  )
  .meta({ type: 'object' });

/** Whether JSON can hold it without a change. */
function isJson(given: unknown): boolean {
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return true;
  if (typeof given === 'number') return Number.isFinite(given);
  if (typeof given !== 'object') return false;
  if (Array.isArray(given)) return given.every(isJson);
  const prototype = Object.getPrototypeOf(given);
  return (prototype === Object.prototype || prototype === null) && Object.values(given).every(isJson);
}

export const getInput = z.strictObject({
  namespace,
  keys: z.array(key).min(1).max(MAX_LIMIT).describe('Names of the items.'),
});

export const listInput = z.strictObject({
  namespace: prefix,
  exact: z.boolean().default(false).describe('Only this namespace, not those below it.'),
  filter,
  newest: z.boolean().default(false).describe('Newest first; otherwise oldest first.'),
  after: z.int().min(0).optional().describe('Only items that were added after the one with this seq.'),
  before: z.int().min(1).optional().describe('Only items that were added before the one with this seq.'),
  limit: limit(100),
  offset,
  ...whose,
});

export const searchInput = z.strictObject({
  query: z.string().min(1).max(10_000).describe('What to look for, in plain words.'),
  namespace: prefix,
  filter,
  limit: limit(10),
  offset,
  ...whose,
});

export const namespacesInput = z.strictObject({
  prefix: z.array(z.string()).default([]).describe('Labels that a namespace begins with; "*" is any label.'),
  suffix: z.array(z.string()).default([]).describe('Labels that it ends with; "*" is any label.'),
  maxDepth: z.int().min(1).optional().describe('Truncates longer namespaces to this number of labels.'),
  limit: limit(100),
  offset,
  ...whose,
});

export const writeInput = z.strictObject({
  writes: z
    .array(
      z.discriminatedUnion('op', [
        z.strictObject({
          op: z.literal('put'),
          namespace,
          key,
          value,
          texts: z
            .array(z.string().max(MAX_TEXT_CHARACTERS))
            .max(MAX_TEXTS)
            .default([])
            .describe('Texts by which items.search finds the item. Default: it is not searched.'),
          ifRevision,
          keep: z.boolean().optional().describe('An item that exists stays as it is.'),
        }),
        z.strictObject({ op: z.literal('remove'), namespace, key, ifRevision }),
        z.strictObject({
          op: z.literal('clear'),
          namespace: namespace.describe('Everything in this namespace and below it is removed.'),
        }),
      ]),
    )
    .min(1)
    .max(MAX_WRITES)
    .describe('What to write, in this order: all of it or nothing.'),
});

export type GetInput = z.input<typeof getInput>;
export type ListInput = z.input<typeof listInput>;
export type SearchInput = z.input<typeof searchInput>;
export type NamespacesInput = z.input<typeof namespacesInput>;
export type WriteInput = z.input<typeof writeInput>;
export type Filter = NonNullable<z.output<typeof listInput>['filter']>;
