/** When scheduled agents ran last, in the store that all machines share, and whose turn it is to run one. */
import { z } from 'zod';
import type { LeaseRunner } from '../../leases/index.ts';

const entry = z.object({
  /** When the schedule was first seen; what a cron pattern counts from before the first run. */
  since: z.number(),
  started: z.number().optional(),
  ended: z.number().optional(),
  outcome: z.enum(['completed', 'failed', 'aborted']).optional(),
});

export type ScheduleEntry = z.output<typeof entry>;

/** The page of one agent, in the hands of whoever runs it. */
export interface OpenPage {
  readonly entry: ScheduleEntry | undefined;
  /** Aborted when another process has taken over. */
  readonly signal: AbortSignal;
  /** What is not mentioned stays. */
  note(now: number, facts: Partial<ScheduleEntry>): Promise<void>;
}

const PREFIX = 'schedule:';

/** A note that cannot be read costs no more than one run too many; it is begun anew. */
function parse(text: string | null): ScheduleEntry | undefined {
  try {
    return text === null ? undefined : entry.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export class ScheduleBook {
  readonly #leaseRunner: LeaseRunner;

  constructor(leaseRunner: LeaseRunner) {
    this.#leaseRunner = leaseRunner;
  }

  async read(): Promise<ReadonlyMap<string, ScheduleEntry>> {
    const pages = new Map<string, ScheduleEntry>();
    for (const { name, note } of await this.#leaseRunner.list(PREFIX)) {
      const found = parse(note);
      if (found !== undefined) pages.set(name.slice(PREFIX.length), found);
    }
    return pages;
  }

  /** Lets nobody else run the agent meanwhile; says whether it was this one's turn. */
  async open(agent: string, work: (page: OpenPage) => Promise<void>): Promise<boolean> {
    const done = await this.#leaseRunner.attempt(`${PREFIX}${agent}`, async (turn) => {
      let current = parse(turn.note);
      await work({
        entry: current,
        signal: turn.signal,
        note: async (now, facts) => {
          current = { since: now, ...current, ...facts };
          await turn.write(JSON.stringify(current));
        },
      });
    });
    return done !== undefined;
  }
}
