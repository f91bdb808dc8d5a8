/** Lessons that a lead passes on to the swarm, or to one of its workers. */

import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName, foldAgentName } from '../kernel/names.ts';
import { nearestName } from '../kernel/nearest.ts';
import { z } from '../kernel/zod.ts';
import type { AddedMemory, RecordService } from '../records/index.ts';

const LEARNING_CATEGORIES = ['mistake-pattern', 'best-practice', 'codebase-knowledge', 'preference'] as const;

export const learningInput = z.object({
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

export interface LessonServices {
  readonly records: RecordService;
  /** The names of all agents of the workspace. */
  readonly knownAgents: () => Promise<readonly string[]>;
}

/** How many names an error lists. */
const MOST_NAMED = 10;

/** Lessons come from a lead. For all they are shared; for one worker they become its own, private memory. */
export async function injectLearning(
  { records, knownAgents }: LessonServices,
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
    { ...caller, viewer: { agent: requireKnown(worker, await knownAgents()), role } },
  );
}

/** A misspelt name would found a new agent that nobody runs, and the lesson would reach no one. */
function requireKnown(worker: string, known: readonly string[]): string {
  const wanted = foldAgentName(checkAgentName(worker));
  const found = known.find((name) => foldAgentName(name) === wanted);
  if (found !== undefined) return found;
  const meant = nearestName(worker, known);
  throw new KeepsakeError('NOT_FOUND', `There is no agent ${JSON.stringify(worker)}.`, {
    hint:
      meant === undefined
        ? `The agents are ${known.slice(0, MOST_NAMED).join(', ')}. Leave out "worker" to teach all of them.`
        : `Did you mean ${JSON.stringify(meant)}?`,
  });
}
