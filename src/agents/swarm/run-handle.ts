/** One run of a swarm, from any process: its status, working memory and messages, and how it ends. */
import { type Caller, writerOf } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { BusMessage, MessageBus } from '../../ports/message-bus.ts';
import type { RunEnd, RunRecord, RunStore } from '../../ports/run-store.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { RunState } from '../../working/index.ts';
import type { BusReading } from './participation.ts';

/** Stands in the feed of changes where no agent made one; no agent can have this name. */
export const PROGRAM = '@program';
const PAGE = 100;
const MAX_PAGE = 1_000;

export interface RunServices {
  readonly runs: RunStore;
  readonly states: StateStore;
  readonly bus: MessageBus;
  readonly clock: Clock;
  /** Has the guard judge what an agent writes into the state. */
  judge(value: JsonValue, caller: Caller): Promise<JsonValue>;
}

export class RunHandle {
  readonly id: string;
  readonly swarm: string;
  readonly task: string;
  readonly participants: RunRecord['participants'];
  readonly startedAt: number;
  /** The working memory that all participants share, as the program changes it. */
  readonly state: RunState;
  readonly #services: RunServices;

  constructor(record: RunRecord, services: RunServices) {
    this.id = record.id;
    this.swarm = record.swarm;
    this.task = record.task;
    this.participants = record.participants;
    this.startedAt = record.startedAt;
    this.#services = services;
    this.state = new RunState({ store: services.states, clock: services.clock, run: this.id, by: PROGRAM });
  }

  /** The run as it is stored: status, cost, result. */
  async details(): Promise<RunRecord> {
    const record = await this.#services.runs.get(this.id);
    if (record !== null) return record;
    throw new KeepsakeError('NOT_FOUND', `There is no run ${this.id}.`, { hint: 'See client.runs.list().' });
  }

  /** The same working memory in the hands of a participant: its changes are judged, and bear its name. */
  stateAs(agent: string, session?: string): RunState {
    const { role } = this.#participant(agent);
    const { states: store, clock, judge } = this.#services;
    const caller: Caller = {
      ...{ viewer: { agent, role }, via: 'tool' },
      ...(session === undefined ? {} : { session }),
    };
    return new RunState({
      ...{ store, clock, run: this.id, by: agent },
      judge: async (value) => {
        writerOf(caller);
        return judge(value, caller);
      },
    });
  }

  /** What was said by and to all participants, in one order, oldest first. */
  messages({ after, agent, limit = PAGE }: BusReading = {}): Promise<readonly BusMessage[]> {
    return this.#services.bus.read({ run: this.id, after, agent, limit: Math.min(limit, MAX_PAGE) });
  }

  /** The same, live: first what was said already, then what is being said. Ends with the run. */
  watchMessages(
    query: Omit<BusReading, 'limit'> & { readonly signal?: AbortSignal } = {},
  ): AsyncIterable<BusMessage> {
    return this.#services.bus.watch({ run: this.id, ...query });
  }

  /** Stops the run, wherever it is under way. False when it had ended before. */
  cancel(reason = 'It was cancelled.'): Promise<boolean> {
    return this.finish({ status: 'cancelled', reason, result: null });
  }

  /** The first end counts. After it the working memory is gone, and so is what only the run kept. */
  protected async finish(end: Omit<RunEnd, 'endedAt'>): Promise<boolean> {
    const { clock } = this.#services;
    return endRun(this.id, { ...end, endedAt: clock.now() }, this.#services);
  }

  #participant(agent: string): RunRecord['participants'][number] {
    const found = this.participants.find(({ name }) => name === agent);
    if (found !== undefined) return found;
    throw new KeepsakeError('NOT_FOUND', `${JSON.stringify(agent)} is not part of the run ${this.id}.`, {
      hint: `Its participants are ${this.participants.map(({ name }) => name).join(', ')}.`,
    });
  }
}

export async function endRun(
  id: string,
  end: RunEnd,
  { runs, states, bus }: Pick<RunServices, 'runs' | 'states' | 'bus'>,
): Promise<boolean> {
  // Noted first: should the process die in between, the lease takes care of the rest.
  const ended = await runs.end(id, end);
  await states.remove(id);
  await bus.end(id);
  return ended;
}

const DEAD = 'It gave no sign of life for a day.';

/** Ends the runs whose process died, and removes what they left behind. */
export async function sweepRuns(services: Omit<RunServices, 'judge'>): Promise<readonly string[]> {
  const { runs, states, clock } = services;
  const now = clock.now();
  const swept: string[] = [];
  for (const { id } of await runs.list({ status: 'running', leaseBefore: now, limit: MAX_PAGE })) {
    // Changes of the state are signs of life as well, and come from any process.
    const leaseUntil = (await states.read(id, []))?.leaseUntil ?? 0;
    if (leaseUntil >= now) await runs.touch(id, { leaseUntil });
    else if (await endRun(id, { status: 'failed', endedAt: now, reason: DEAD, result: null }, services))
      swept.push(id);
  }
  await states.sweep(now);
  return swept;
}
