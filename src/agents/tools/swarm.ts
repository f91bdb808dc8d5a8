/** The pack `swarm`: memory as agents of a swarm see it, with lessons that a lead passes on. */
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { checkAgentName } from '../../kernel/names.ts';
import type { AddedMemory, RecordService } from '../../records/index.ts';
import { defineTool, type Tool } from '../tool.ts';
import { type FullId, NO_IDENTITY } from './facts.ts';

const id = z.string().describe('Id of the memory.');

const LEARNING_CATEGORIES = ['mistake-pattern', 'best-practice', 'codebase-knowledge', 'preference'] as const;

const learningInput = z.object({
  learning: z.string().describe('What was learned, as a full sentence.'),
  category: z
    .enum(LEARNING_CATEGORIES)
    .default('best-practice')
    .describe(
      'A common mistake, a preferred way, a fact about the code, or what the user or the team prefers.',
    ),
  worker: z.string().optional().describe('Only for the agent of this name; without it, for all.'),
});

export type Learning = z.output<typeof learningInput>;

export function swarmTools(
  records: RecordService,
  caller: Caller | undefined,
  fullId: FullId = (named) => named,
): Tool[] {
  return [
    defineTool({
      name: 'memory-search',
      description:
        'Searches your own memories and those shared with the swarm, in plain words. Shows a summary of each; memory-get shows all of it.',
      input: z.object({ query: z.string(), limit: z.int().min(1).max(50).default(10) }),
      run: async ({ query, limit }) => {
        if (caller === undefined) return NO_IDENTITY;
        const hits = await records.search({ query, limit }, caller);
        if (hits.length === 0) return 'Nothing is known about that.';
        return hits.map(({ id: found, scope, source, content, relevance }) => ({
          id: found,
          relevance: Number(relevance.toFixed(2)),
          scope,
          source,
          summary: content.length > 200 ? `${content.slice(0, 200).toWellFormed()}…` : content,
        }));
      },
    }),
    defineTool({
      name: 'memory-get',
      description: 'Shows one memory in full, also when it has expired.',
      input: z.object({ id }),
      run: async (input) =>
        caller === undefined ? NO_IDENTITY : records.get({ id: fullId(input.id) }, caller),
    }),
    defineTool({
      name: 'memory-delete',
      description: 'Erases one of your memories for good; a lead may also erase shared ones.',
      input: z.object({ id }),
      run: async (input) => {
        if (caller === undefined) return NO_IDENTITY;
        await records.forget({ id: fullId(input.id) }, caller);
        return `Erased ${input.id}.`;
      },
    }),
    defineTool({
      name: 'inject-learning',
      description: 'For leads: passes a lesson on to every agent of the swarm, or to one of them.',
      input: learningInput,
      run: async (input) => {
        if (caller === undefined) return NO_IDENTITY;
        const { id: passedOn } = await injectLearning(records, input, caller);
        return `Passed on as ${passedOn}.`;
      },
    }),
  ];
}

/** Lessons come from a lead. For all they are shared; for one worker they become its own, private memory. */
export async function injectLearning(
  records: RecordService,
  { learning, category, worker }: Learning,
  caller: Caller,
): Promise<AddedMemory> {
  const { role } = caller.viewer;
  if (role !== 'lead' && role !== 'admin') {
    throw new KeepsakeError('FORBIDDEN', 'Only a lead passes lessons on to the swarm.', {
      hint: 'Keep it for yourself with remember, or ask the lead.',
    });
  }
  const lesson = { content: learning, category, origin: 'agent' } as const;
  if (worker === undefined) return records.add({ ...lesson, scope: 'swarm' }, caller);
  const metadata = { injectedBy: caller.viewer.agent ?? 'owner' };
  return records.add(
    { ...lesson, scope: 'agent', metadata },
    { ...caller, viewer: { agent: checkAgentName(worker), role } },
  );
}
