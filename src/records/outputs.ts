/** Output schemas of the verbs of long-term memory. */

import {
  count,
  jsonObject,
  maybeTime,
  origin,
  scope,
  share,
  source,
  text,
  time,
} from '../kernel/schema-parts.ts';
import { z } from '../kernel/zod.ts';

export const record = z.strictObject({
  id: text,
  agent: text.describe(
    'The agent that the memory belongs to; empty for what was stored about a user without an agent.',
  ),
  user: text.nullable().describe('The user that the memory is about; null for nobody in particular.'),
  scope,
  source,
  category: text,
  confidence: share,
  content: text,
  tags: z.array(text),
  metadata: jsonObject,
  origin,
  pinned: z.boolean(),
  thread: text.nullable(),
  state: z.enum(['live', 'expired', 'forgotten']),
  createdAt: time,
  updatedAt: time,
  validFrom: maybeTime,
  expiresAt: maybeTime,
  expiryReason: z.enum(['ttl', 'maxEntries', 'manual', 'superseded']).nullable(),
  supersedes: text.nullable(),
  supersededBy: text.nullable(),
  forgottenAt: maybeTime,
  version: z.int().positive(),
  accessCount: count,
  lastAccessedAt: maybeTime,
  injectedCount: count,
});

export const factors = z.strictObject({
  relevance: share,
  coverage: share,
  similarity: z.number().nullable(),
  semantic: z.number(),
  context: z.number(),
  recencyDecay: z.number(),
  accessBoost: z.number(),
  orderBoost: z.number(),
  authorBoost: z.number(),
  openingBoost: z.number(),
  speechBoost: z.number(),
  earlierDecay: z.number(),
  tokenBoost: z.number(),
});

export const hit = record.extend({
  relevance: share.describe('How well it answers, 0 to 1; usable as a threshold.'),
  score: z.number().describe('Relevance times recency, access and what orders gain; orders the hits.'),
  factors,
  explain: text.describe('Why it is here, in words.'),
});

const pruned = z.array(text).describe('Ids of memories that left search because of the cap.');
export const addedMemory = record.extend({ outcome: z.enum(['added', 'duplicate']), pruned });
export const updatedMemory = record.extend({ outcome: z.enum(['updated', 'unchanged']), pruned });

export const recordVersion = z.deferred(() =>
  z.strictObject({
    id: text,
    version: z.int().positive(),
    change: z.enum(['added', 'updated', 'expired', 'undone']),
    changedAt: time,
    changedBy: text,
    ...record.pick({ content: true, category: true, confidence: true, scope: true, tags: true }).shape,
    ...record.pick({ metadata: true, pinned: true, expiresAt: true }).shape,
  }),
);

export const forgottenMemory = z.strictObject({
  id: text,
  characters: count,
  versions: count,
  indexEntries: count,
  journalErased: z.boolean(),
  pagesErased: z.boolean(),
  copiesRedacted: count.describe('Recorded tool results and summaries that it was taken out of.'),
  remains: z
    .array(text)
    .describe(
      'Where its text remains: messages of people and models, backups, and what the database keeps for a while.',
    ),
});

const earlier = z.strictObject({
  agent: text,
  thread: text.nullable().describe('Null: the one conversation of the agent, or of the agent with its user.'),
  title: text.nullable().describe('The title of an imported chat.'),
  at: time,
  relevance: z.number().describe('How much of the task it covers, 0 to 1.'),
  turns: z.array(z.strictObject({ id: text, role: text, at: time, text })),
});

export const recalledMemory = z.strictObject({
  standing: z.array(record),
  relevant: z.array(hit),
  earlier: z
    .array(earlier)
    .describe('What was said in earlier threads about the task; never in the active thread.'),
  notices: z.array(text).describe('What made this recall weaker than usual; empty when nothing did.'),
});

export const standingMemory = z.strictObject({ memories: z.array(record), leftOut: count });
export const prunedMemories = z.strictObject({ expired: z.array(record), erased: count });

export const memoryOutline = z.strictObject({
  total: count,
  every: count.describe('How many memories a page has.'),
  anchors: z.array(text).describe('Id of the last memory of each full page; the next page begins after it.'),
});

const groups = z.record(text, count);
export const memoryStats = z.strictObject({
  days: z.array(
    z.strictObject({
      day: text.describe('Such as 2026-11-16, in UTC.'),
      added: count,
      live: z.int().describe('Live at the end of the day.'),
      recalls: count,
      hits: count.describe('Recalls that found at least one memory.'),
      prompts: count,
      tokens: count,
      memoryTokens: count,
      blocked: count,
    }),
  ),
  states: z.strictObject({ live: count, expired: count, forgotten: count }),
  pinned: count,
  agents: groups,
  sources: groups,
  categories: groups,
});
