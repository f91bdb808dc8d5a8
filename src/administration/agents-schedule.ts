/** The schedules of a workspace: which agents run automatically, when they run next, and which process runs them. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { LeaseRunner } from '../leases/index.ts';
import type { FileLock } from '../ports/file-lock.ts';
import {
  type AgentDefinition,
  describeTrigger,
  examineAgents,
  ScheduleBook,
  Scheduler,
  type SchedulerEvent,
  type SchedulerParts,
  timingOf,
} from './agent-definitions.ts';

export type { AgentDefinition, SchedulerEvent };

export interface SchedulePlace {
  readonly lock: FileLock;
  readonly leaseRunner: LeaseRunner;
  readonly clock: Clock;
  readonly paths: { readonly root: string; readonly dataFolder: string; readonly agentsFolder: string };
}

export interface ScheduledAgent {
  readonly name: string;
  readonly trigger: string;
  readonly lastStarted: number | null;
  readonly lastOutcome: string | null;
  /** Null when no time is left. */
  readonly next: number | null;
}

export interface Agents {
  readonly valid: readonly AgentDefinition[];
  /** Names of those whose file is wrong. */
  readonly invalid: readonly string[];
}

/** One scheduler at a time works in a folder, see `asOnlyScheduler`; other machines have folders of their own. */
const bookOf = ({ leaseRunner, paths }: SchedulePlace): ScheduleBook =>
  new ScheduleBook(leaseRunner, `${hostname()}:${paths.dataFolder}`);

export async function readAgents({ paths }: SchedulePlace): Promise<Agents> {
  const all = await examineAgents(paths.agentsFolder);
  return {
    valid: all.flatMap(({ examined: { definition } }) => definition ?? []),
    invalid: all.filter(({ examined: { definition } }) => definition === undefined).map(({ name }) => name),
  };
}

/** Those with a schedule, the next one first. */
export async function listSchedules(place: SchedulePlace): Promise<ScheduledAgent[]> {
  const entries = await bookOf(place).read();
  const { valid } = await readAgents(place);
  const now = place.clock.now();
  const scheduled = valid.flatMap(({ name, trigger }): ScheduledAgent[] => {
    if (trigger.type !== 'schedule') return [];
    const entry = entries.get(name);
    return [
      {
        name,
        trigger: describeTrigger(trigger),
        lastStarted: entry?.started ?? null,
        lastOutcome: entry?.outcome ?? null,
        next: timingOf(trigger, entry, now).next ?? null,
      },
    ];
  });
  return scheduled.sort((a, b) => (a.next ?? Infinity) - (b.next ?? Infinity));
}

export function createScheduler(
  place: SchedulePlace,
  parts: Pick<SchedulerParts, 'agents' | 'run' | 'report' | 'signal'>,
): Scheduler {
  return new Scheduler({ ...parts, clock: place.clock, book: bookOf(place) });
}

/** A second one in the same folder would have nothing to do; those of other machines take turns with it. */
export async function asOnlyScheduler<T>(place: SchedulePlace, work: () => Promise<T>): Promise<T> {
  let isOurs = false;
  const begin = (): Promise<T> => {
    isOurs = true;
    return work();
  };
  try {
    return await place.lock.hold(join(place.paths.dataFolder, 'scheduler'), begin, { timeoutMs: 0 });
  } catch (error) {
    if (isOurs || !KeepsakeError.is(error) || error.code !== 'BUSY') throw error;
    throw new KeepsakeError('BUSY', 'Another "keepsake start" already runs the agents of this workspace.', {
      hint: 'Stop it first, or use "keepsake run <agent>" for a single run.',
      cause: error,
    });
  }
}
