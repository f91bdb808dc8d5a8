/** The schema of each kind of line in an archive. */

import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { ORIGINS, SOURCES } from '../../kernel/record.ts';
import { SCOPES } from '../../kernel/scope.ts';
import { z } from '../../kernel/zod.ts';

export const FORMAT = 'keepsake-archive';
export const VERSION = 1;

const time = z.int().nonnegative();
const text = z.string();
const name = z.string().min(1).max(64);
const count = z.int().nonnegative();
const object = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'An object is expected.',
);
const json = z.custom<JsonValue>((value) => value !== undefined, 'A value is expected.');
const change = z.enum(['added', 'updated', 'expired', 'undone']);

const changeable = {
  content: text,
  category: text,
  confidence: z.number().min(0).max(1),
  scope: z.enum(SCOPES),
  tags: z.array(text),
  metadata: object,
  pinned: z.boolean(),
  expiresAt: time.nullable(),
};

const manifest = z.strictObject({
  kind: z.literal('manifest'),
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  createdAt: time,
  /** The one agent that it is about; null for a whole workspace. */
  agent: name.nullable(),
});

const record = z.strictObject({
  kind: z.literal('record'),
  id: name,
  /** Empty for what was stored about a user without an agent. */
  agent: z.string().max(64),
  user: z.string().min(1).max(512).nullable().default(null),
  source: z.enum(SOURCES),
  origin: z.enum(ORIGINS),
  thread: text.nullable(),
  createdAt: time,
  updatedAt: time,
  validFrom: time.nullable(),
  expiryReason: z.enum(['ttl', 'maxEntries', 'manual', 'superseded']).nullable(),
  supersedes: name.nullable(),
  supersededBy: name.nullable(),
  forgottenAt: time.nullable(),
  version: z.int().positive(),
  accessCount: count,
  lastAccessedAt: time.nullable(),
  injectedCount: count,
  counted: z.boolean(),
  change,
  changedBy: text,
  ...changeable,
  earlier: z.array(
    z.strictObject({ version: z.int().positive(), change, changedAt: time, changedBy: text, ...changeable }),
  ),
});

const message = z.strictObject({
  kind: z.literal('message'),
  id: name,
  agent: name,
  thread: text,
  run: text.nullable(),
  role: text,
  content: json,
  metadata: object,
  at: time,
  editedAt: time.nullable(),
  deletedAt: time.nullable(),
});

/** The view of a thread begins after this message. */
const boundary = z.strictObject({ kind: z.literal('boundary'), agent: name, thread: text, after: name });

/** A thread that was archived. */
const archived = z.strictObject({ kind: z.literal('archived'), agent: name, thread: text, at: time });

/** A piece of a file; the pieces of one file follow each other. */
const file = z.strictObject({
  kind: z.literal('file'),
  path: z.string().min(1).max(4096),
  offset: count,
  /** Of the whole file, in bytes. */
  size: count,
  base64: text,
});

/** What an adapter keeps for a framework. */
const item = z.strictObject({
  kind: z.literal('item'),
  agent: z.string().max(64),
  user: z.string().max(1_024),
  namespace: z.array(text),
  key: text,
  value: json,
  version: z.int().positive(),
  createdAt: time,
  updatedAt: time,
  texts: z.array(text),
});

/** Archives of versions before items have none. */
const counts = z.strictObject({ records: count, messages: count, files: count, items: count.optional() });

const end = z.strictObject({
  kind: z.literal('end'),
  counts,
  /** SHA-256 of all lines before this one, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const archiveLine = z.discriminatedUnion('kind', [
  manifest,
  record,
  message,
  boundary,
  archived,
  item,
  file,
  end,
]);

export type ArchiveLine = z.output<typeof archiveLine>;
export type LineOf<K extends ArchiveLine['kind']> = Extract<ArchiveLine, { kind: K }>;
export type Counts = z.output<typeof counts>;
