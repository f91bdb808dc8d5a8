/** One run of a swarm, from any process: its status, working memory and messages, and how it ends. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { BusMessage } from '../../ports/message-bus.ts';
import type { RunEnd, RunRecord } from '../../ports/run-store.ts';
import type { SharedState } from '../shared-state.ts';
import type { RunServices } from './run-services.ts';

const PAGE = 100;
const MAX_PAGE = 1_000;

export interface BusReading {
  /** Only what was said after this place. */
  readonly after?: number | undefined;
  /** Only what was said in the conversation of this participant. */
  readonly agent?: string | undefined;
  readonly limit?: number | undefined;
}

export class RunHandle {
  readonly id: string;
  readonly swarm: string;
  readonly task: string;
  readonly participants: RunRecord['participants'];
  readonly startedAt: number;
  /** The working memory that all participants share, as the program changes it. */
  readonly state: SharedState;
  readonly #services: RunServices;

  constructor(record: RunRecord, services: RunServices) {
    this.id = record.id;
    this.swarm = record.swarm;
    this.task = record.task;
    this.participants = record.participants;
    this.startedAt = record.startedAt;
    this.#services = services;
    this.state = services.stateOf(this.id);
  }

  /** The run as it is stored: status, cost, result. */
  async details(): Promise<RunRecord> {
    const record = await this.#services.get(this.id);
    if (record !== null) return record;
    throw noRun(this.id);
  }

  /** The same working memory in the hands of a participant: its changes are judged, and bear its name. */
  stateAs(agent: string, session?: string): SharedState {
    const { role } = participantOf(this, agent);
    return this.#services.stateOf(this.id, { agent, role, session });
  }

  /** What was said by and to all participants, in one order, oldest first. */
  messages({ after, agent, limit = PAGE }: BusReading = {}): Promise<readonly BusMessage[]> {
    return this.#services.messages({ run: this.id, after, agent, limit: Math.min(limit, MAX_PAGE) });
  }

  /** The same, live: first what was said already, then what is being said. Ends with the run. */
  watchMessages(
    query: Omit<BusReading, 'limit'> & { readonly signal?: AbortSignal } = {},
  ): AsyncIterable<BusMessage> {
    return this.#services.watchMessages({ run: this.id, ...query });
  }

  /** Stops the run, wherever it is under way. False when it had ended before. */
  cancel(reason = 'It was cancelled.'): Promise<boolean> {
    return this.finish({ status: 'cancelled', reason, result: null });
  }

  protected async finish(end: Omit<RunEnd, 'endedAt'>): Promise<boolean> {
    const { clock } = this.#services;
    return this.#services.end(this, { ...end, endedAt: clock.now() });
  }
}

export function noRun(id: string): KeepsakeError {
  return new KeepsakeError('NOT_FOUND', `There is no run ${id}.`, {
    hint: 'See which there are with "keepsake swarm list", or client.runs.list().',
  });
}

export function participantOf(
  { id, participants }: Pick<RunRecord, 'id' | 'participants'>,
  agent: string,
): RunRecord['participants'][number] {
  const found = participants.find(({ name }) => name === agent);
  if (found !== undefined) return found;
  throw new KeepsakeError('NOT_FOUND', `${JSON.stringify(agent)} is not part of the run ${id}.`, {
    hint: `Its participants are ${participants.map(({ name }) => name).join(', ')}.`,
  });
}
