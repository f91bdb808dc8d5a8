/** The pack `swarm`: memory as agents of a swarm see it, with lessons that a lead passes on. */
import { z } from 'zod';
import type { Caller } from '../../kernel/caller.ts';
import type { RecordService } from '../../records/index.ts';
import { injectLearning, learningInput } from '../../working/index.ts';
import { defineTool, type Tool } from '../tool.ts';
import { type FullId, NO_IDENTITY } from './facts.ts';

const id = z.string().describe('Id of the memory.');

export function swarmTools(
  records: RecordService,
  caller: Caller | undefined,
  fullId: FullId = (named) => named,
): Tool[] {
  return [
    defineTool({
      name: 'memory-search',
      readOnly: true,
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
      readOnly: true,
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
