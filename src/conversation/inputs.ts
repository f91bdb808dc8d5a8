/** What callers may ask of conversations: one schema per verb, shared by every surface. */
import { z } from '../kernel/zod.ts';
import { CONVERSATION_FORMATS } from './formats/index.ts';

const MAX_LIMIT = 1_000;
/** What was said, not a document; documents belong into knowledge. */
export const MAX_MESSAGE_CHARACTERS = 1_000_000;

const limit = (standard: number) =>
  z.int().min(1).max(MAX_LIMIT).default(standard).describe('How many messages to return at most.');
const run = z.string().min(1).max(128).optional().describe('Only messages of this run.');
const messageId = z.string().min(1).max(64);
const archive = z
  .string()
  .min(1)
  .max(128)
  .describe('Name of an archive, for example history_2026-04-20_14-30-45.md.');

export const logArchiveInput = z.strictObject({
  archived: z.boolean().default(true).describe('False makes an archived thread active again.'),
});

export const logAddInput = z.strictObject({
  content: z
    .string()
    .min(1, 'A message must not be empty.')
    .max(MAX_MESSAGE_CHARACTERS)
    .describe('What was said.'),
  role: z
    .string()
    .min(1)
    .max(64)
    .default('User')
    .describe('Who said it: User, System, Tool, or the name of the agent ("assistant" means that, too).'),
});

export const logShowInput = z.strictObject({
  limit: limit(50),
  before: messageId.optional().describe('Only messages before this one, by id.'),
  after: messageId.optional().describe('Only messages after this one, by id.'),
  run,
});

export const logSearchInput = z.strictObject({
  query: z.string().min(1).describe('Words to look for.'),
  limit: limit(20),
  run,
  allThreads: z
    .boolean()
    .default(false)
    .describe('Search every thread of the agent and its user, archived and imported ones included.'),
});

export const logExportInput = z.strictObject({
  format: z.enum(CONVERSATION_FORMATS).default('json').describe('Format of the export.'),
});

export const logImportInput = z.strictObject({
  text: z.string().min(1).describe('An export of Keepsake, a MEMORY.md, or a list of chat messages.'),
  format: z
    .enum(CONVERSATION_FORMATS)
    .optional()
    .describe('Format of the text. Default: found out from the text.'),
});

export const compactInput = z.strictObject({
  summary: z
    .string()
    .optional()
    .describe('The summary that replaces the conversation. Default: its most informative sentences.'),
  keepLast: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('How many of the newest messages stay as they are.'),
});

export const archiveListInput = z.strictObject({});
export const archiveShowInput = z.strictObject({ name: archive });
export const archiveSearchInput = z.strictObject({ query: z.string().min(1).describe('Words to look for.') });
export const archiveDiffInput = z.strictObject({
  from: archive,
  to: archive.optional().describe('The archive to compare with. Default: the active MEMORY.md.'),
});

export type LogAddInput = z.input<typeof logAddInput>;
export type LogShowInput = z.input<typeof logShowInput>;
export type LogSearchInput = z.input<typeof logSearchInput>;
export type LogExportInput = z.input<typeof logExportInput>;
export type LogImportInput = z.input<typeof logImportInput>;
export type CompactInput = z.input<typeof compactInput>;
