/** What callers may ask of knowledge and notes: one schema per verb, shared by every surface. */

import type { JsonObject } from '../kernel/json.ts';
import { SCOPES } from '../kernel/scope.ts';
import { HALF_A_CHARACTER } from '../kernel/validate.ts';
import { z } from '../kernel/zod.ts';
import { addInput, isPlainJson, searchInput } from '../records/index.ts';

const path = z.string().min(1).max(4096).describe('File or folder on this machine.');

export const addKnowledgeInput = z.strictObject({
  path: path.describe('File, folder, pattern such as "docs/**/*.md", or web address.'),
  scope: z
    .enum(SCOPES)
    .optional()
    .describe('agent: private to its owner; swarm: seen by all agents. Default: as it was, else agent.'),
});

const { content, metadata, scope } = addInput.shape;
export const storeKnowledgeInput = z.strictObject({
  text: content.refine((text) => text.isWellFormed(), HALF_A_CHARACTER).describe('The text to know.'),
  metadata: metadata.describe('Any JSON object; its url or title is cited.'),
  scope,
});

export const pathInput = z.strictObject({ path });
export const nothingInput = z.strictObject({});

const { query, limit, minRelevance } = searchInput.shape;
export const searchKnowledgeInput = z.strictObject({
  ...{ query, limit, minRelevance },
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Only documents here: a file, a folder, a web address, or a pattern such as "docs/**/*.md".'),
  metadata: z.custom<JsonObject>(isPlainJson, 'Metadata must be a plain JSON object.').optional().meta({
    type: 'object',
    description: 'Only passages whose metadata has these values, for example {"sheet":"Prices"}.',
  }),
});

export type AddKnowledgeInput = z.input<typeof addKnowledgeInput>;
export type PathInput = z.input<typeof pathInput>;
export type SearchKnowledgeInput = z.input<typeof searchKnowledgeInput>;
export type StoreKnowledgeInput = z.input<typeof storeKnowledgeInput>;
