/** Memories as the tools show them: what a model needs to use one, and no more. */
import { z } from 'zod';
import type { Caller } from '../../../kernel/caller.ts';
import type { MemoryRecord } from '../../../kernel/record.ts';

/** A search must not fill a model's context with one long text; one memory by its id is shown whole. */
const SHOWN_CHARACTERS = 2_000;

const shown = {
  id: z.string(),
  category: z.string(),
  content: z.string(),
};

export const foundMemories = z.object({
  memories: z.array(z.object({ ...shown, relevance: z.number().optional() })),
});

export const wholeMemory = z.object({
  ...shown,
  confidence: z.number(),
  scope: z.string(),
  source: z.string(),
  state: z.string(),
  pinned: z.boolean(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.number(),
});

export const written = z.object({ id: z.string(), outcome: z.string() });

export function clipped(content: string): string {
  if (content.length <= SHOWN_CHARACTERS) return content;
  return `${content.slice(0, SHOWN_CHARACTERS).toWellFormed()}…`;
}

type Found = MemoryRecord & { readonly relevance?: number };

/** The same line as the tools of an agent print it. */
const line = ({ id, category, content }: Found): string => `[${id}] (${category}) ${clipped(content)}`;

/** Names whose memory was searched: a program that was set up without one uses that of the default agent. */
export function nothingKnown(caller: Pick<Caller, 'viewer'>): string {
  const { agent } = caller.viewer;
  return `Nothing is known about that${agent === undefined ? '' : ` (agent ${agent})`}.`;
}

export function found(records: readonly Found[], nothing: string) {
  return {
    structured: {
      memories: records.map(({ id, category, content, relevance }) => ({
        id,
        category,
        content: clipped(content),
        ...(relevance === undefined ? {} : { relevance: Number(relevance.toFixed(2)) }),
      })),
    },
    text: records.length === 0 ? nothing : records.map(line).join('\n'),
  };
}

export function whole(record: MemoryRecord): z.input<typeof wholeMemory> {
  const { id, category, content, confidence, scope, source, state, pinned, tags, version } = record;
  return {
    ...{ id, category, content, confidence, scope, source, state, pinned, version },
    tags: [...tags],
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
  };
}

export function wholeText(record: MemoryRecord): string {
  const { id, category, content, scope, source, confidence, state } = record;
  const when = new Date(record.updatedAt).toISOString().slice(0, 10);
  return `[${id}] (${category}; ${scope}; ${source}; confidence ${confidence}; ${state}; ${when})\n${content}`;
}
