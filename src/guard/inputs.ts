/** What callers may ask of the guard: one schema per verb, shared by every surface. */

import { ORIGINS } from '../kernel/record.ts';
import { z } from '../kernel/zod.ts';

const id = z.string().min(1).max(64).describe('Id of the entry, for example qtn_01k….');

export const quarantineIdInput = z.strictObject({ id });

export const listQuarantineInput = z.strictObject({
  limit: z.int().min(1).max(1_000).default(50).describe('How many to return at most.'),
  after: id.optional().describe('Id of the last entry of the page before.'),
  state: z
    .enum(['waiting', 'released', 'any'])
    .default('waiting')
    .describe('waiting: entries without a decision; released: entries that were stored; any: both.'),
});

export const scanInput = z.strictObject({
  text: z.string().max(1_000_000).describe('The text to check.'),
  origin: z
    .enum(ORIGINS)
    .default('web')
    .describe('Origin of the text. Less trusted origins have stricter thresholds.'),
});

export type ListQuarantineInput = z.input<typeof listQuarantineInput>;
export type ScanInput = z.input<typeof scanInput>;
