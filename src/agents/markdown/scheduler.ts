/** The scheduler: one run at a time per agent, and one run for all missed times. */
import type { Clock } from '../../kernel/clock.ts';
import type { AgentDefinition } from './definition.ts';
import type { HeldElsewhere, OpenPage, ScheduleBook, ScheduleEntry } from './schedule-book.ts';
import { nextTime, type Schedule, timesBetween } from './trigger.ts';

export type SchedulerEvent =
  /** Times passed while nobody was there to run it; one run makes up for them. */
  | { readonly type: 'missed'; readonly agent: string; readonly times: number; readonly since: number }
  /** The last run ended with its process; it is made again. */
  | { readonly type: 'interrupted'; readonly agent: string; readonly since: number }
  /** It was due, and was not run. */
  | { readonly type: 'skipped'; readonly agent: string; readonly at: number; readonly reason: string }
  | { readonly type: 'started'; readonly agent: string; readonly at: number }
  | {
      readonly type: 'completed';
      readonly agent: string;
      readonly at: number;
      readonly ms: number;
      readonly text: string;
    }
  | {
      readonly type: 'failed';
      readonly agent: string;
      readonly at: number;
      readonly ms: number;
      readonly error: unknown;
    };

export interface SchedulerParts {
  readonly clock: Clock;
  readonly book: ScheduleBook;
  /** Asked again at every tick, so that files may change meanwhile. */
  agents(): Promise<readonly AgentDefinition[]>;
  /** Resolves to the answer. */
  run(agent: AgentDefinition, signal: AbortSignal): Promise<string>;
  report(event: SchedulerEvent): void;
  readonly signal: AbortSignal;
}

export interface Timing {
  /** Undefined when it never comes again. */
  readonly next: number | undefined;
  readonly isDue: boolean;
  /** Times that passed besides the one that is due. */
  readonly missed: number;
  readonly since: number;
  /** The last run began and did not end. It may be running in another process. */
  readonly isUnfinished: boolean;
}

/** A run that ends its process once more is not made a third time before its time has come. */
const MOST_INTERRUPTIONS = 2;

/** An interval that never ran is due at once; a cron pattern waits for its first time. */
export function timingOf(schedule: Schedule, entry: ScheduleEntry | undefined, now: number): Timing {
  const isInterval = !('cron' in schedule);
  if (entry?.started === undefined && isInterval) {
    return { next: now, isDue: true, missed: 0, since: now, isUnfinished: false };
  }
  // A clock that was set back must not silence an agent for as long as it was ahead.
  const since = Math.min(entry?.started ?? entry?.since ?? now, now);
  const next = nextTime(schedule, since);
  const isDue = next !== undefined && next <= now;
  const missed = isDue ? timesBetween(schedule, since, now) - 1 : 0;
  const { started, ended = 0, interruptions = 0 } = entry ?? {};
  const isUnfinished = started !== undefined && ended < started && interruptions < MOST_INTERRUPTIONS;
  return { next, isDue, missed, since, isUnfinished };
}

export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Starts what is due and is not running, here or elsewhere, and answers with the time of the next run. */
  async tick(): Promise<number | undefined> {
    const { clock, book, agents, signal } = this.#parts;
    const entries = await book.read();
    const times: number[] = [];
    for (const agent of await agents()) {
      if (agent.trigger.type !== 'schedule' || this.#running.has(agent.name) || signal.aborted) continue;
      const now = clock.now();
      const entry = entries.get(agent.name);
      const timing = timingOf(agent.trigger, entry, now);
      if (timing.isDue || timing.isUnfinished) await this.#start(agent, agent.trigger, timing.isDue);
      else if (entry === undefined) await book.open(agent.name, ({ note }) => note(now, {}));
      const next = timing.isDue ? nextTime(agent.trigger, now) : timing.next;
      if (next !== undefined) times.push(next);
    }
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Resolves when the next run ends; never, when nothing runs. */
  anyEnd(): Promise<void> {
    return Promise.race([...this.#running.values(), new Promise<void>(() => {})]);
  }

  /** Resolves when it runs, or when it turns out that another process does it or has done it. */
  async #start(agent: AgentDefinition, schedule: Schedule, wasDue: boolean): Promise<void> {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const running = this.#parts.book
      .open(agent.name, (page) => this.#runIfDue(agent, schedule, page, { begin, wasDue }))
      .then(
        (elsewhere) => {
          // One that is not due is running there, as it should.
          if (elsewhere !== undefined && wasDue) this.#skipped(agent.name, elsewhere);
        },
        (error: unknown) => void this.#failed(agent.name, this.#parts.clock.now(), error),
      )
      .finally(() => {
        this.#running.delete(agent.name);
        begin();
      });
    this.#running.set(agent.name, running);
    await begun;
  }

  async #runIfDue(
    agent: AgentDefinition,
    schedule: Schedule,
    page: OpenPage,
    { begin, wasDue }: { readonly begin: () => void; readonly wasDue: boolean },
  ): Promise<void> {
    const { clock, report } = this.#parts;
    const now = clock.now();
    // Another process may have run it since the book was read.
    const { isDue, missed, since, isUnfinished } = timingOf(schedule, page.entry, now);
    if (!isDue && !isUnfinished) {
      const reason = 'another process has just finished this run';
      if (wasDue) report({ type: 'skipped', agent: agent.name, at: now, reason });
      return;
    }
    if (isUnfinished) report({ type: 'interrupted', agent: agent.name, since });
    if (missed > 0) report({ type: 'missed', agent: agent.name, times: missed, since });
    // Before it runs: a run that ends the process must not be repeated in a circle.
    const interruptions = isUnfinished ? (page.entry?.interruptions ?? 0) + 1 : 0;
    await page.note(now, { started: now, interruptions });
    report({ type: 'started', agent: agent.name, at: now });
    begin();
    await this.#run(agent, now, page);
  }

  /** Never throws: what goes wrong with one agent is not a reason to leave the others alone. */
  async #run(agent: AgentDefinition, started: number, page: OpenPage): Promise<void> {
    const { clock, run, report } = this.#parts;
    const { name } = agent;
    const signal = AbortSignal.any([this.#parts.signal, page.signal]);
    try {
      const text = await run(agent, signal);
      const at = clock.now();
      report({ type: 'completed', agent: name, at, ms: at - started, text });
      await page.note(at, { ended: at, outcome: 'completed' });
    } catch (error) {
      const at = this.#failed(name, started, error);
      await page
        .note(at, { ended: at, outcome: signal.aborted ? 'aborted' : 'failed' })
        .catch((cause: unknown) => this.#failed(name, at, cause));
    }
  }

  #skipped(agent: string, { until }: HeldElsewhere): void {
    const { clock, report } = this.#parts;
    const at = clock.now();
    const seconds = Math.max(1, Math.ceil((until - at) / 1000));
    const reason = `another process is running it; its lease ends in ${seconds} s unless it is renewed`;
    report({ type: 'skipped', agent, at, reason });
  }

  #failed(agent: string, started: number, error: unknown): number {
    const at = this.#parts.clock.now();
    this.#parts.report({ type: 'failed', agent, at, ms: at - started, error });
    return at;
  }
}
