/** Stores when scheduled agents last ran, and which machine may run one now. */

import { defined } from '../../kernel/defined.ts';
import { z } from '../../kernel/zod.ts';
import type { LeaseRunner } from '../../leases/index.ts';
import type { Lease } from '../../ports/lease-store.ts';

const entry = z.object({
  /** When the schedule was first seen; what a cron pattern counts from before the first run. */
  since: z.number(),
  started: z.number().optional(),
  ended: z.number().optional(),
  outcome: z.enum(['completed', 'failed', 'aborted']).optional(),
  /** How many runs in a row ended with their process. */
  interruptions: z.number().optional(),
  /** Whose scheduler started the last run: a folder of a machine, in which one scheduler works at a time. */
  place: z.string().optional(),
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

/** Why an agent could not be run. */
export interface HeldElsewhere {
  /** Until when its lease lasts unless it is renewed. */
  readonly until: number;
}

const PREFIX = 'schedule:';

/** A note that cannot be read costs no more than one run too many; it is started again. */
function parse(text: string | null): ScheduleEntry | undefined {
  try {
    return text === null ? undefined : entry.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export class ScheduleBook {
  readonly #leaseRunner: LeaseRunner;
  readonly #place: string | undefined;

  /** `place`: where this scheduler is the only one; what another one began there ended with its process. */
  constructor(leaseRunner: LeaseRunner, place?: string) {
    this.#leaseRunner = leaseRunner;
    this.#place = place;
  }

  async read(): Promise<ReadonlyMap<string, ScheduleEntry>> {
    const pages = new Map<string, ScheduleEntry>();
    for (const { name, note } of await this.#leaseRunner.list(PREFIX)) {
      const found = parse(note);
      if (found !== undefined) pages.set(name.slice(PREFIX.length), found);
    }
    return pages;
  }

  /** Lets nobody else run the agent meanwhile; resolves to who else does when the work was not done. */
  async open(agent: string, work: (page: OpenPage) => Promise<void>): Promise<HeldElsewhere | undefined> {
    if (await this.#attempt(agent, work)) return undefined;
    const holder = await this.#holder(agent);
    if (holder === undefined) return (await this.#attempt(agent, work)) ? undefined : { until: 0 };
    const isDead = this.#place !== undefined && parse(holder.note)?.place === this.#place;
    if (!isDead) return { until: holder.expiresAt };
    await this.#leaseRunner.releaseOf(holder.owner!, holder.name);
    return (await this.#attempt(agent, work)) ? undefined : { until: holder.expiresAt };
  }

  async #holder(agent: string): Promise<Lease | undefined> {
    const name = `${PREFIX}${agent}`;
    const leases = await this.#leaseRunner.list(name);
    return leases.find((lease) => lease.name === name && lease.owner !== null);
  }

  async #attempt(agent: string, work: (page: OpenPage) => Promise<void>): Promise<boolean> {
    const place = this.#place;
    const done = await this.#leaseRunner.attempt(`${PREFIX}${agent}`, async (turn) => {
      let current = parse(turn.note);
      await work({
        entry: current,
        signal: turn.signal,
        note: async (now, facts) => {
          current = { since: now, ...current, ...facts, ...defined({ place }) };
          await turn.write(JSON.stringify(current));
        },
      });
    });
    return done !== undefined;
  }
}
