/** Long-term memory as models use it: the tools of the packs `facts` and `swarm`, for agents and MCP clients alike. */

import { defined } from '../kernel/defined.ts';
import { noticesOf } from '../kernel/notices.ts';
import { passageOf } from '../kernel/passage.ts';
import { type MemoryRecord, SUGGESTED_CATEGORIES } from '../kernel/record.ts';
import { clipped, defineToolOf } from '../kernel/tool-projection.ts';
import type { ToolCall } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import { earlierAnswer, earlierShape, type RecalledEverything } from './earlier.ts';
import type { AddInput, ListInput, RecallInput, SearchInput, UpdateInput } from './inputs.ts';
import type { MemoryHit } from './recall.ts';
import {
  type AddedMemory,
  type ForgottenMemory,
  memoryNotFound,
  type UpdatedMemory,
} from './record-service.ts';

/** Characters of one memory in a list; `get_memory` shows all of it. */
const SHOWN = 2_000;
/** Characters of the passage that represents a long memory in the answer to a question. */
const PASSAGE = 500;

const id = z.string().describe('Id of the memory, as recall or your prompt shows it.');
const query = z.string().describe('What to look for, in plain words.');
const category = z.string().optional().describe('Only this category.');

const shown = { id: z.string(), category: z.string(), content: z.string() };
const foundMemories = z.object({
  memories: z.array(z.object({ ...shown, date: z.string(), relevance: z.number().optional() })),
  notices: z.array(z.string()).optional().describe('What made this answer weaker than usual.'),
});
const summaries = z.object({
  memories: z.array(
    z.object({
      ...{ id: z.string(), category: z.string(), summary: z.string() },
      ...{
        relevance: z.number(),
        score: z.number(),
        date: z.string(),
        source: z.string(),
        scope: z.string(),
      },
    }),
  ),
  more: z.number().describe('How many weaker matches were left out; all: true returns them.'),
  notices: z.array(z.string()).optional().describe('What made this answer weaker than usual.'),
});
const wholeMemory = z.object({
  ...shown,
  confidence: z.number(),
  scope: z.string(),
  source: z.string(),
  state: z.string(),
  pinned: z.boolean(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string().nullable(),
  accessCount: z.number(),
  version: z.number(),
});
const written = z.object({ id: z.string(), outcome: z.string() });

type Found = MemoryRecord & { readonly relevance?: number };

function line({ id, category, updatedAt, relevance, content }: Found): string {
  const facts = [
    category,
    day(updatedAt),
    ...(relevance === undefined ? [] : [`relevance ${relevance.toFixed(2)}`]),
  ];
  return `[${id}] (${facts.join(', ')}) ${clipped(content, SHOWN)}`;
}

const iso = (time: number): string => new Date(time).toISOString();
const day = (time: number): string => iso(time).slice(0, 10);

/** Names whose memory was searched: a program that was set up without an agent uses the default one. */
function nothingKnown({ caller }: ToolCall): string {
  const { agent } = caller.viewer;
  return `Nothing is known about that${agent === undefined ? '' : ` (agent ${agent})`}.`;
}

function withNotices(text: string, notices: readonly string[]): string {
  return [...notices.map((notice) => `Note: ${notice}`), text].join('\n');
}

/** The part of a long memory that answers the question; without one, its beginning. */
function shownOf(content: string, question: unknown): string {
  if (typeof question !== 'string') return clipped(content, SHOWN);
  return content.length <= 2 * PASSAGE ? content : passageOf(content, question, PASSAGE);
}

function listed(
  given: readonly Found[],
  nothing: string,
  notices: readonly string[] = [],
  question?: unknown,
) {
  const records = given.map((record) => ({ ...record, content: shownOf(record.content, question) }));
  const memories = records.map(({ id, category, content, updatedAt, relevance }) => ({
    ...{ id, category, content: clipped(content, SHOWN), date: day(updatedAt) },
    ...defined({ relevance: relevance === undefined ? undefined : Number(relevance.toFixed(2)) }),
  }));
  return {
    structured: { memories, ...(notices.length === 0 ? {} : { notices }) },
    text: withNotices(records.length === 0 ? nothing : records.map(line).join('\n'), notices),
  };
}

/** A forgotten memory has nothing left to show: for a model it does not exist. */
function whole(record: MemoryRecord) {
  if (record.state === 'forgotten') throw memoryNotFound(record.id);
  const { id, category, content, confidence, scope, source, state, pinned, tags, version } = record;
  const { createdAt, updatedAt, expiresAt, accessCount } = record;
  const expiry = expiresAt === null ? 'never expires' : `expires ${day(expiresAt)}`;
  const about = [category, scope, source, `confidence ${confidence}`, state, day(updatedAt)];
  const facts = [...about, `read ${accessCount} ${accessCount === 1 ? 'time' : 'times'}`, expiry];
  return {
    structured: {
      ...{ id, category, content, confidence, scope, source, state, pinned, version, accessCount },
      ...{ tags: [...tags], createdAt: iso(createdAt), updatedAt: iso(updatedAt) },
      expiresAt: expiresAt === null ? null : iso(expiresAt),
    },
    text: `[${id}] (${facts.join('; ')})\n${content}`,
  };
}

const byId = async (args: Readonly<Record<string, unknown>>, call: ToolCall): Promise<{ id: string }> => ({
  id: await call.fullId(String(args.id)),
});

export const remember = defineToolOf<AddInput, AddedMemory>({
  name: 'remember',
  pack: 'facts',
  place: 1,
  title: 'Remember',
  description:
    'Stores a durable memory: a fact, preference, instruction, relationship or observation that will matter in later sessions. One thing per memory, in a full sentence. Not for what only matters now, and never for passwords or keys.',
  idempotent: true,
  input: z.object({
    content: z.string().describe('What to remember, as a full sentence.'),
    category: z
      .string()
      .default('fact')
      .describe(`${SUGGESTED_CATEGORIES.join(', ')}, or any other word.`),
    confidence: z.number().min(0).max(1).optional().describe('How sure you are, 0 to 1.'),
    replaces: z.string().optional().describe('Id of a memory that is no longer true.'),
  }),
  projectInput: {
    everywhere: z
      .boolean()
      .default(false)
      .describe('True for what holds in every project, such as how the user likes to work.'),
  },
  renamed: { supersedes: 'replaces' },
  toInput: async ({ replaces, everywhere, ...rest }, call) => ({
    ...(rest as { content: string }),
    origin: 'agent',
    scope: everywhere === true ? 'swarm' : 'agent',
    ...(replaces === undefined ? {} : { supersedes: await call.fullId(String(replaces)) }),
  }),
  output: written,
  answer: ({ id, outcome }) => ({
    structured: { id, outcome },
    text: outcome === 'added' ? `Remembered as ${id}.` : `Already known as ${id}.`,
  }),
});

export const recall = defineToolOf<RecallInput, RecalledEverything>({
  name: 'recall',
  pack: 'facts',
  place: 2,
  title: 'Recall',
  description:
    'Recalls what your memory and your earlier conversations hold about a question or a task, in plain words.',
  input: z.object({
    query,
    limit: z.int().min(1).max(50).default(8).describe('How many at most.'),
    category,
  }),
  renamed: { task: 'query' },
  // Standing memory is part of the prompt, or of what the client was told at the start.
  toInput: ({ query, limit, category }) => ({
    ...{ task: String(query), limit: Number(limit), standing: false, maxChars: Number(limit) * SHOWN },
    ...defined({ category: category as string | undefined }),
  }),
  output: foundMemories.extend(earlierShape),
  answer: ({ relevant, earlier, notices }, call) =>
    earlierAnswer(
      earlier,
      relevant.length > 0,
      listed(relevant, nothingKnown(call), notices, call.args.query),
    ),
});

export const forget = defineToolOf<{ id: string }, ForgottenMemory>({
  name: 'forget',
  pack: 'facts',
  place: 3,
  title: 'Forget',
  description: 'Erases a memory that is wrong or outdated. Cannot be undone.',
  input: z.object({ id }),
  toInput: byId,
  output: written,
  answer: ({ id, remains }) => ({
    structured: { id, outcome: 'forgotten' },
    text: [`Forgot ${id}.`, ...remains.map((place) => `Its text remains in: ${place}.`)].join('\n'),
  }),
});

export const getMemory = defineToolOf<{ id: string }, MemoryRecord>({
  name: 'get_memory',
  pack: 'facts',
  place: 4,
  offered: 'mcp',
  title: 'Show a memory',
  description: 'Shows one memory in full, with where it came from; also when it has expired.',
  input: z.object({ id }),
  toInput: byId,
  output: wholeMemory,
  answer: whole,
});

export const listMemories = defineToolOf<ListInput, readonly MemoryRecord[]>({
  name: 'list_memories',
  pack: 'facts',
  place: 5,
  offered: 'mcp',
  title: 'List memories',
  description: 'Lists memories, newest first, a page at a time.',
  input: z.object({
    limit: z.int().min(1).max(100).default(20),
    category,
    after: z.string().optional().describe('Last id of the previous page.'),
  }),
  output: foundMemories,
  answer: (records) => listed(records, 'There are no memories.'),
});

export const updateMemory = defineToolOf<UpdateInput, UpdatedMemory>({
  name: 'update_memory',
  pack: 'facts',
  place: 6,
  offered: 'mcp',
  title: 'Correct a memory',
  description: 'Corrects fields of a memory; the previous version stays in its history.',
  idempotent: true,
  input: z.object({
    id,
    content: z.string().optional(),
    category: z.string().optional(),
    confidence: z.number().min(0).max(1).optional(),
    pinned: z.boolean().optional().describe('Always part of what you know.'),
  }),
  toInput: async (args, call) => ({ ...args, ...(await byId(args, call)), origin: 'agent' }),
  output: written.extend({ version: z.number() }),
  answer: ({ id, outcome, version }) => ({
    structured: { id, outcome, version },
    text: outcome === 'updated' ? `Updated ${id}.` : `${id} says that already.`,
  }),
});

export const memorySearch = defineToolOf<SearchInput, readonly MemoryHit[]>({
  name: 'memory-search',
  pack: 'swarm',
  place: 1,
  title: 'Search memories',
  description:
    'Searches your own memories and those shared with the swarm, in plain words. Shows a summary of each; memory-get shows all of it.',
  input: z.object({
    query,
    limit: z.int().min(1).max(50).default(10),
    all: z.boolean().optional().describe('Also what is less likely to answer.'),
  }),
  output: summaries,
  answer: (hits, call) => {
    const notices = noticesOf(hits);
    const { more = 0 } = hits as { readonly more?: number };
    const memories = hits.map(({ id, category, content, relevance, score, createdAt, source, scope }) => ({
      ...{
        id,
        category,
        summary: passageOf(content, String(call.args.query), PASSAGE),
        source,
        scope,
        date: day(createdAt),
      },
      ...{ relevance: Number(relevance.toFixed(2)), score: Number(score.toFixed(2)) },
    }));
    const lines = memories.map(
      ({ id, category, summary, relevance, score, date, source, scope }) =>
        `[${id}] (${category}; ${scope}; ${source}; ${date}; relevance ${relevance}; score ${score}) ${summary}`,
    );
    return {
      structured: { memories, more, ...(notices.length === 0 ? {} : { notices }) },
      text: withNotices(
        [
          ...(lines.length === 0 ? [nothingKnown(call)] : lines),
          ...(more === 0 ? [] : [`${more} more less likely to answer were left out; all: true shows them.`]),
        ].join('\n'),
        notices,
      ),
    };
  },
});

export const memoryGet = defineToolOf<{ id: string }, MemoryRecord>({
  ...getMemory,
  name: 'memory-get',
  pack: 'swarm',
  place: 2,
  offered: 'everywhere',
  description: 'Shows one memory in full, also when it has expired.',
});

export const memoryDelete = defineToolOf<{ id: string }, ForgottenMemory>({
  ...forget,
  name: 'memory-delete',
  pack: 'swarm',
  place: 3,
  title: 'Erase a memory',
  description: 'Erases one of your memories permanently; a lead may also erase shared ones.',
  answer: ({ id }) => ({ structured: { id, outcome: 'forgotten' }, text: `Erased ${id}.` }),
});
