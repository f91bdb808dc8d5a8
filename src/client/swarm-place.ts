/** The interface through which a swarm uses stored runs: of this workspace, or of a server. */
import type { Caller } from '../kernel/caller.ts';
import type { SwarmResult } from '../knowledge/index.ts';
import type { RunRecord, RunStatus } from '../ports/run-store.ts';
import type {
  CachedAnswer,
  CacheKind,
  KeepResultInput,
  RunServices,
  StartedRun,
  StartRunInput,
} from '../working/index.ts';
import type { Engine } from './engine.ts';

export interface RunsQuery {
  readonly swarm?: string;
  readonly status?: RunStatus;
  readonly limit?: number;
}

export interface SwarmPlace {
  /** Acting as the lead of a run, or as whoever the client is. */
  runsOf(lead?: string): RunServices;
  list(query: RunsQuery): Promise<readonly RunRecord[]>;
  /** As the lead of the run. */
  start(input: StartRunInput): Promise<StartedRun>;
  /** What the swarm answered to the same task before. */
  answer(input: { swarm: string; task: string; cache: CacheKind }): Promise<CachedAnswer | null>;
  keep(run: RunRecord, input: KeepResultInput): Promise<SwarmResult | null>;
}

const OWNER: Caller = { viewer: { role: 'admin' }, via: 'system' };

export function localPlace({ runs, swarms }: Engine): SwarmPlace {
  return {
    runsOf: () => runs,
    list: (query) => swarms.list(query, OWNER),
    start: async (input) => {
      const started = await swarms.start(input, OWNER);
      runs.claim(started.run.id);
      return started;
    },
    answer: (input) => swarms.answer(input, OWNER),
    keep: (_run, input) => swarms.keep(input, OWNER),
  };
}
