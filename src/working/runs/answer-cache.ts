/** Finds earlier results of a swarm for the same or a similar task. */
import type { Caller } from '../../kernel/caller.ts';
import type { SwarmResult, SwarmResults } from '../../knowledge/index.ts';
import type { Embedding } from '../../ports/record-store.ts';
import type { RunRecord } from '../../ports/run-store.ts';
import type { LocalRuns } from './local-runs.ts';

/** `exact`: the same words. `semantic`: also other words for the same thing. */
export const CACHE_KINDS = ['exact', 'semantic'] as const;
export type CacheKind = (typeof CACHE_KINDS)[number];

/** Two tasks are taken for one when their embeddings are closer than this. */
const SAME_MEANING = 0.97;
/** How many earlier runs of the swarm are looked at, newest first. */
const MOST_RUNS = 100;

export interface AnswerCacheParts {
  readonly runs: Pick<LocalRuns, 'list'>;
  readonly swarmResults: Pick<SwarmResults, 'get'>;
  readonly embed: (text: string) => Promise<Embedding | undefined>;
}

export interface CachedAnswer {
  readonly run: RunRecord;
  readonly result: SwarmResult;
  /** 1 for the same words. */
  readonly similarity: number;
}

const folded = (task: string): string => task.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();

export async function findAnswer(
  wanted: { readonly swarm: string; readonly task: string; readonly cache: CacheKind },
  caller: Caller,
  parts: AnswerCacheParts,
): Promise<CachedAnswer | null> {
  const { swarm, task, cache } = wanted;
  const done = await parts.runs.list({ swarm, status: 'completed', limit: MOST_RUNS });
  const answered = done.filter(({ result }) => result !== null);
  const same = answered.find((run) => folded(run.task) === folded(task));
  const found =
    same !== undefined
      ? { run: same, similarity: 1 }
      : cache === 'semantic'
        ? await closest(task, answered, parts)
        : undefined;
  if (found === undefined) return null;
  // A result that was forgotten is not given out again.
  const result = await parts.swarmResults.get(found.run.result!, caller).catch(() => null);
  return result === null || result.output === '' ? null : { ...found, result };
}

async function closest(task: string, runs: readonly RunRecord[], { embed }: AnswerCacheParts) {
  const question = await embed(task);
  if (question === undefined) return undefined;
  let best: { run: RunRecord; similarity: number } | undefined;
  for (const run of runs) {
    const other = await embed(run.task);
    if (other === undefined || other.model !== question.model) continue;
    const similarity = other.vector.reduce((sum, value, i) => sum + value * question.vector[i]!, 0);
    if (similarity > SAME_MEANING && similarity > (best?.similarity ?? 0)) best = { run, similarity };
  }
  return best;
}
