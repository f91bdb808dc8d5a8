/** What operations answer with, as schemas: the description of the API is made from them, and a test holds answers against them. */
import { z } from 'zod';
import { ORIGINS, SOURCES } from '../kernel/record.ts';
import { SCOPES } from '../kernel/scope.ts';

const time = z.int().describe('Milliseconds since 1970.');
const maybeTime = time.nullable();
const count = z.int().nonnegative();
const share = z.number().describe('From 0 to 1.');
const text = z.string();
const object = z.record(z.string(), z.unknown());
const change = z.enum(['added', 'updated', 'expired', 'undone']);

const record = z.strictObject({
  id: text,
  agent: text.describe('The agent whose silo holds it.'),
  scope: z.enum(SCOPES),
  source: z.enum(SOURCES),
  category: text,
  confidence: share,
  content: text,
  tags: z.array(text),
  metadata: object,
  origin: z.enum(ORIGINS).describe('Who wrote the text in the first place.'),
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

const pruned = z.array(text).describe('Ids of memories that left search because of the cap.');

const hit = record.extend({
  relevance: share.describe('How well it answers, 0 to 1; usable as a threshold.'),
  score: z.number().describe('Relevance times recency, access and what orders gain; orders the hits.'),
  factors: z.strictObject({
    relevance: share,
    coverage: share,
    similarity: z.number().nullable(),
    semantic: z.number(),
    context: z.number(),
    recencyDecay: z.number(),
    accessBoost: z.number(),
    orderBoost: z.number(),
  }),
  explain: text.describe('Why it is here, in words.'),
});

const version = z.strictObject({
  ...{ id: text, version: z.int().positive(), change, changedAt: time, changedBy: text },
  ...record.pick({ content: true, category: true, confidence: true, scope: true, tags: true }).shape,
  ...record.pick({ metadata: true, pinned: true, expiresAt: true }).shape,
});

const erasure = z.strictObject({
  id: text,
  characters: count,
  versions: count,
  indexEntries: count,
  journalErased: z.boolean(),
  pagesErased: z.boolean(),
});

const indexed = z.strictObject({
  files: count,
  added: count.describe('Chunks.'),
  updated: count,
  removed: count,
  skipped: z.array(z.strictObject({ path: text, reason: text })),
});

const message = z.strictObject({
  id: text,
  role: text,
  content: z.union([text, z.array(object)]),
  at: time,
  run: text.nullable(),
  metadata: object,
  seq: count.optional(),
});

const section = { section: text, lines: count };
const hash = text.describe('Of the content; also the ETag.');

const refused = z.strictObject({
  ...{ id: text, at: time, agent: text, via: text, session: text.nullable(), verb: text, category: text },
  ...{ origin: z.enum(ORIGINS), reasons: z.array(text), state: z.enum(['waiting', 'released']) },
  ...{ input: object.nullable(), content: text.nullable(), times: count, lastAt: time },
  ...{ releasedAt: maybeTime, releasedBy: text.nullable(), releasedAs: text.nullable() },
});

/** By the name of the operation. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'agents.list': z.array(z.strictObject({ name: text, createdAt: time, facts: count })),
  'archive.diff': z.array(text),
  'archive.list': z.array(
    z.strictObject({ name: text, messages: count, characters: count, firstAt: maybeTime, lastAt: maybeTime }),
  ),
  'archive.restore': z.strictObject({ archive: text.nullable() }),
  'archive.show': z.strictObject({ name: text, text }),
  'conversation.compact': z.strictObject({
    ...{ archive: text.nullable(), summary: message, replaced: count, by: z.enum(['hand', 'extractive']) },
  }),
  'guard.list': z.array(refused),
  'guard.show': refused,
  'knowledge.add': indexed,
  'knowledge.list': z.array(
    z.strictObject({
      ...{ agent: text, root: text, scope: z.enum(SCOPES), chunks: count },
      files: z.array(z.strictObject({ path: text, chunks: count, updatedAt: time })),
    }),
  ),
  'knowledge.refresh': indexed,
  'knowledge.remove': z.strictObject({ files: count, removed: count }),
  'knowledge.search': z.array(hit.extend({ citation: text.describe('File and lines, or page.') })),
  'knowledge.store': z.strictObject({ id: text, chunks: count }),
  'log.add': message,
  'log.export': z.strictObject({ messages: count, text }),
  'log.import': z.strictObject({ messages: count, known: count }),
  'log.search': z.array(message),
  'log.show': z.array(message),
  'memory.add': record.extend({ outcome: z.enum(['added', 'duplicate']), pruned }),
  'memory.forget': erasure,
  'memory.get': record,
  'memory.history': z.array(version),
  'memory.list': z.array(record),
  'memory.prune': z.strictObject({ expired: z.array(record), erased: count }),
  'memory.recall': z.strictObject({ standing: z.array(record), relevant: z.array(hit) }),
  'memory.search': z.array(hit),
  'memory.standing': z.strictObject({ memories: z.array(record), leftOut: count }),
  'memory.undo': record.extend({ outcome: z.enum(['updated', 'unchanged']), pruned }),
  'memory.update': record.extend({ outcome: z.enum(['updated', 'unchanged']), pruned }),
  'notes.index': indexed,
  'sections.append': z.strictObject({
    ...{ ...section, outcome: z.enum(['created', 'appended', 'unchanged']), hint: text.optional() },
  }),
  'sections.list': z.array(z.strictObject({ name: text, lines: count })),
  'sections.remove': z.strictObject(section),
  'sections.retrieve': z.strictObject({ ...section, content: text, hash }),
  'sections.save': z.strictObject({
    ...{ ...section, outcome: z.enum(['created', 'replaced', 'unchanged']), hash },
  }),
};
