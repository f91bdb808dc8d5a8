/** The verbs of conversations: the log, its archives, and compaction. */

import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { count, jsonObject, maybeTime, noInput, text, time } from '../kernel/schema-parts.ts';
import { withWholeText } from '../kernel/validate.ts';
import { type CliPositional, defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import type { Storage } from '../ports/storage.ts';
import type { ConversationService, StoredSwitches } from './conversation-service.ts';
import * as inputs from './inputs.ts';
import { listConversations } from './list-conversations.ts';

export interface ConversationServices {
  readonly conversations: ConversationService;
  readonly storage: Storage;
  readonly clock: Clock;
  /** What the definitions in agents/<name>.md say about conversations; they win over the configuration. */
  conversationsInFiles(): Promise<ReadonlyMap<string, StoredSwitches>>;
}

type Conversations = Pick<ConversationServices, 'conversations'>;

const MIB = 1024 * 1024;
const actsAs = 'default-agent';
const byName: readonly CliPositional[] = [{ key: 'name', kind: 'id' }];

const message = z.strictObject({
  id: text,
  role: text,
  content: z.union([text, z.array(jsonObject)]),
  at: time,
  run: text.nullable(),
  metadata: jsonObject,
  seq: count.optional(),
});
const range = { start: count, end: count };

export const logList = defineVerb({
  name: 'log.list',
  summary: 'Lists the conversations.',
  description:
    'Lists the conversations of all agents by name: how long each is, when the last message was added, and how many messages a start replays. An agent sees its own and its threads; with a user, those with this user.',
  effect: 'read',
  role: 'reader',
  input: noInput,
  output: z.array(
    z.strictObject({
      agent: text,
      user: text
        .nullable()
        .describe('The user that it is with; null for the conversations of the agent itself.'),
      thread: text
        .nullable()
        .describe('Null: the one conversation of the agent, or of the agent with its user.'),
      messages: count,
      lastAt: time,
      compactedUpTo: count.describe('Messages up to this seq were replaced by a summary; 0 if none.'),
      history: count.describe('How many of the newest messages a start replays.'),
      persistent: z.boolean().describe('Whether MEMORY.md is kept.'),
      archivedAt: time.nullable().describe('Since when it is archived; null while it is active.'),
    }),
  ),
  run: (services: ConversationServices, _input, caller: Caller) => listConversations(services, caller),
  cli: { nothing: [], examples: ['keepsake log list', 'keepsake log list --json'] },
});

export const logGet = defineVerb({
  name: 'log.get',
  summary: 'Shows the messages of an agent.',
  description:
    'Shows the newest messages of an agent, or the page before or after one of them, oldest first. The log keeps every message, also after a compaction.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.logShowInput,
  output: z.array(message),
  run: ({ conversations }: Conversations, input, caller) => conversations.messages(input, caller),
  cli: {
    ...{ actsAs, nothing: [] },
    examples: [
      'keepsake log get',
      'keepsake log get --agent my-agent --limit 10',
      'keepsake log get --before <id>',
    ],
  },
});

export const logArchive = defineVerb({
  name: 'log.archive',
  summary: 'Archives a thread.',
  description:
    'Archives a thread of an agent, or of an agent and a user: it keeps its messages and is found by search, but is no longer active.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.logArchiveInput,
  output: z.strictObject({ agent: text, archivedAt: time.nullable() }),
  run: async (services: ConversationServices, input, caller) => {
    const { archiveThread, requireMessages } = await import('./thread-archive.ts');
    await requireMessages(services, caller);
    return archiveThread(services, input, caller);
  },
  cli: { examples: ['keepsake log archive --agent support --user dana --thread chat-7'] },
});

export const logSearch = defineVerb({
  name: 'log.search',
  summary: 'Finds messages by their text.',
  description:
    'Finds messages of an agent by their words, best first, in everything that was ever said in its conversation, or with allThreads in every thread.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.logSearchInput,
  output: z.array(
    message.extend({
      thread: text.nullable().optional().describe('The thread, when all threads were searched.'),
    }),
  ),
  run: ({ conversations }: Conversations, input, caller) => conversations.search(input, caller),
  sdk: { positionals: ['query'] },
  cli: {
    ...{ actsAs, nothing: [], positionals: [{ key: 'query', kind: 'text' }] },
    examples: [
      'keepsake log search "invoice"',
      'keepsake log search "invoice" --all-threads',
      'keepsake log search --query "invoice" --limit 3 --json',
    ],
  },
});

export const logAdd = defineVerb({
  name: 'log.add',
  summary: 'Adds a message to the conversation of an agent.',
  description:
    'Adds one message to the conversation of an agent, in the log and in MEMORY.md, and returns it once it is on disk.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.logAddInput,
  output: message,
  run: ({ conversations }: Conversations, input, caller) =>
    conversations.add(withWholeText(input, inputs.logAddInput, 'log.add'), caller),
  sdk: { positionals: ['role', 'content'] },
  cli: {
    ...{ actsAs, positionals: [{ key: 'content', kind: 'text' }] },
    examples: [
      'keepsake log add "We ship on Friday."',
      'keepsake log add --agent my-agent --role assistant "Noted: Friday."',
      'git log -1 --format=%B | keepsake log add -',
    ],
  },
});

export const logExport = defineVerb({
  name: 'log.export',
  summary: 'Exports the conversation of an agent.',
  description: 'Exports every message as JSON, JSON lines, YAML or Markdown, without loss.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.logExportInput,
  output: z.strictObject({ messages: count, text }),
  run: ({ conversations }: Conversations, input, caller) => conversations.export(input, caller),
  sdk: { positionals: ['format'] },
  cli: {
    actsAs,
    positionals: [
      { key: 'file', kind: 'path', description: 'File to write, in the format of its ending; else stdout' },
    ],
    examples: [
      'keepsake log export conversation.json',
      'keepsake log export --format markdown --agent my-agent',
      'keepsake log export conversation.yaml --force',
    ],
  },
});

export const logImport = defineVerb({
  name: 'log.import',
  summary: 'Imports a conversation.',
  description:
    'Adds the messages of an export, of a MEMORY.md, or of a list of chat messages to the conversation of an agent, with their times. Messages that the log has already are not added again.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.logImportInput,
  output: z.strictObject({ messages: count, known: count.describe('Messages that the log had already.') }),
  // Whole conversations are longer than memories.
  maxBody: 32 * MIB,
  run: ({ conversations }: Conversations, input, caller) => conversations.import(input, caller),
  sdk: { positionals: ['text'] },
  cli: {
    actsAs,
    positionals: [
      {
        key: 'source',
        kind: 'path',
        description: 'A file, a folder of <agent>/MEMORY.md files, or "-" for stdin',
        required: true,
      },
    ],
    without: ['text'],
    examples: [
      'keepsake log import conversation.json --agent my-agent',
      'keepsake log import ../old-workspace',
      'cat chat.jsonl | keepsake log import -',
    ],
  },
});

export const conversationCompact = defineVerb({
  name: 'conversation.compact',
  summary: 'Replaces a conversation with a summary.',
  description:
    'Archives MEMORY.md and starts it again with a summary: yours, or the most informative sentences of the conversation. The log and the archive keep everything.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.compactInput,
  output: z.strictObject({
    archive: text.nullable(),
    summary: message,
    replaced: count,
    by: z.enum(['hand', 'extractive']),
  }),
  run: ({ conversations }: Conversations, input, caller) => conversations.compact(input, caller),
  sdk: { at: 'log.compact' },
  cli: {
    command: 'compact',
    actsAs,
    stdinFlags: ['summary'],
    examples: [
      'keepsake compact',
      'keepsake compact --agent my-agent --summary "The invoice is paid; the report is due on Monday."',
      'keepsake compact --summary - --keep-last 4',
    ],
  },
});

export const archiveList = defineVerb({
  name: 'archive.list',
  summary: 'Lists the archives of an agent.',
  description: 'Lists the raw transcripts that were saved before compactions, oldest first.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.archiveListInput,
  output: z.array(
    z.strictObject({ name: text, messages: count, characters: count, firstAt: maybeTime, lastAt: maybeTime }),
  ),
  run: ({ conversations }: Conversations, _input, caller) => conversations.archives(caller).list(),
  cli: {
    ...{ actsAs, nothing: [] },
    examples: ['keepsake archive list', 'keepsake archive list --agent my-agent --json'],
  },
});

export const archiveGet = defineVerb({
  name: 'archive.get',
  summary: 'Shows an archive.',
  description: 'Shows the raw transcript that was saved before a compaction.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.archiveShowInput,
  output: z.strictObject({ name: text, text }),
  run: async ({ conversations }: Conversations, { name }, caller) => ({
    name,
    text: await conversations.archives(caller).read(name),
  }),
  sdk: { positionals: ['name'] },
  cli: { actsAs, positionals: byName, examples: ['keepsake archive get history_2026-04-20_14-30-45.md'] },
});

export const archiveSearch = defineVerb({
  name: 'archive.search',
  summary: 'Finds messages in the archives.',
  description: 'Finds messages in all archives of an agent that have all words of the query.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.archiveSearchInput,
  output: z.array(
    z.strictObject({
      archive: text,
      message,
      index: count.describe('Position of the message in the archive.'),
      hits: z.array(z.strictObject(range)),
      excerpt: z.strictObject({ ...range, text }),
    }),
  ),
  run: ({ conversations }: Conversations, { query }, caller) => conversations.archives(caller).search(query),
  sdk: { positionals: ['query'] },
  cli: {
    ...{ actsAs, nothing: [], positionals: [{ key: 'query', kind: 'text' }] },
    examples: ['keepsake archive search "invoice"'],
  },
});

export const archiveDiff = defineVerb({
  name: 'archive.diff',
  summary: 'Compares archives.',
  description:
    'Shows the lines that differ between two archives, or between an archive and the conversation as it is now.',
  effect: 'read',
  role: 'reader',
  needsAgent: true,
  input: inputs.archiveDiffInput,
  output: z.array(text),
  run: ({ conversations }: Conversations, { from, to }, caller) => conversations.diff(from, to, caller),
  sdk: { positionals: ['from', 'to'] },
  cli: {
    actsAs,
    positionals: [
      { key: 'from', kind: 'id' },
      { key: 'to', kind: 'id' },
    ],
    examples: ['keepsake archive diff history_2026-04-20_14-30-45.md'],
  },
});

export const archiveRestore = defineVerb({
  name: 'archive.restore',
  summary: 'Restores an archive.',
  description: 'Makes an archived transcript the active MEMORY.md again; the active one is archived first.',
  effect: 'write',
  role: 'worker',
  needsAgent: true,
  input: inputs.archiveShowInput,
  output: z.strictObject({ archive: text.nullable() }),
  run: ({ conversations }: Conversations, { name }, caller) => conversations.archives(caller).restore(name),
  sdk: { positionals: ['name'] },
  cli: {
    ...{ actsAs, positionals: byName },
    examples: [
      'keepsake archive restore history_2026-04-20_14-30-45.md',
      'keepsake archive restore history_2026-04-20_14-30-45.md --yes',
    ],
  },
});
