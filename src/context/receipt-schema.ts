/** The receipt of a prompt as a schema, for the verbs that return one. */

import { count, origin, share, source, text, time } from '../kernel/schema-parts.ts';
import { z } from '../kernel/zod.ts';
import { memoryOutputs } from '../records/index.ts';
import { SLOTS } from './receipt.ts';

const slot = z.enum(SLOTS);

export const receipt = z.strictObject({
  version: z.literal(1),
  at: time,
  agent: text.nullable().describe('Null for a session without an agent, which gets no memory.'),
  session: text.nullable(),
  model: text.nullable(),
  slots: z.array(
    z.strictObject({
      slot,
      characters: count,
      tokens: count.describe('An estimate.'),
      budget: z.number().nullable().describe('Maximum number of characters in the slot; null for no limit.'),
      entries: count,
    }),
  ),
  memories: z.array(
    z.strictObject({
      ...{ id: text, shortId: text, slot, kind: z.enum(['standing', 'relevant']), category: text },
      ...{ source, origin, characters: count, relevance: share.nullable(), score: z.number().nullable() },
      ...{ factors: memoryOutputs.factors.nullable(), explain: text },
    }),
  ),
  documents: z.array(text).describe('Citations of the included documents.'),
  dropped: z.array(
    z.strictObject({
      id: text.nullable(),
      slot,
      reason: z.enum(['budget', 'duplicate', 'threshold', 'raw session']),
      characters: count,
      relevance: share.nullable(),
    }),
  ),
  total: z.strictObject({ messages: count, characters: count, tokens: count }),
});
