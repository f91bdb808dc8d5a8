/** Runs that a server keeps; their agents run in this process. */

import type { Caller } from '../kernel/caller.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { BusDraft, BusMessage, BusQuery } from '../ports/message-bus.ts';
import type { RunEnd, RunRecord, RunUsage } from '../ports/run-store.ts';
import { verbs } from '../verbs.ts';
import type { Actor, BusWatch, RunServices, SharedState } from '../working/index.ts';
import type { RemoteConnection } from './remote.ts';
import { RemoteState } from './remote-state.ts';
import type { SwarmPlace } from './swarm-place.ts';

const caller = (agent: string, role: Actor['role']): Caller => ({ viewer: { agent, role }, via: 'sdk' });
/** Whoever the key belongs to. */
const BEARER: Caller = { viewer: { role: 'admin' }, via: 'sdk' };

class RemoteRuns implements RunServices {
  readonly clock: Clock;
  readonly #remote: RemoteConnection;
  /** In whose name the program itself acts. */
  readonly #self: Caller;

  constructor(remote: RemoteConnection, self: Caller, clock: Clock) {
    this.#remote = remote;
    this.#self = self;
    this.clock = clock;
  }

  async get(id: string): Promise<RunRecord | null> {
    try {
      return await this.#remote.callAs(this.#self)(verbs.swarmGet, { id });
    } catch (error) {
      if (KeepsakeError.is(error) && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  stateOf(run: string, actor?: Actor): SharedState {
    const who = actor === undefined ? this.#self : caller(actor.agent, actor.role);
    return new RemoteState(run, this.#remote, who);
  }

  messages({ run: id, after, agent: from, limit }: BusQuery): Promise<readonly BusMessage[]> {
    return this.#remote.callAs(this.#self)(verbs.swarmMessages, {
      ...{ id, limit },
      ...defined({ after, from }),
    });
  }

  watchMessages({ run: id, after = 0, agent: from, signal }: BusWatch): AsyncIterable<BusMessage> {
    const query = { id, after: String(after), ...defined({ from }) };
    return this.#remote.follow<BusMessage>('/v1/swarm/watch', query, this.#self, signal);
  }

  async publish({ run: id, agent, id: message, role, content, at, passing }: BusDraft): Promise<void> {
    await this.#remote.callAs(caller(agent, 'worker'))(verbs.swarmPublish, {
      ...{ id, message: { id: message, role, content, at, passing } },
    });
  }

  note(id: string, agent: string, failure?: string): void {
    const call = this.#remote.callAs(caller(agent, 'worker'));
    // For observers only: nobody's work fails when they cannot be told.
    call(verbs.swarmNote, { id, ...defined({ failure }) }).catch(() => {});
  }

  async touch({ id }: Pick<RunRecord, 'id'>, usage?: RunUsage): Promise<boolean> {
    const call = this.#remote.callAs(this.#self);
    return (await call(verbs.swarmTouch, { id, ...defined({ usage }) })).running;
  }

  async end({ id }: Pick<RunRecord, 'id'>, { status, reason, result, usage }: RunEnd): Promise<boolean> {
    const call = this.#remote.callAs(this.#self);
    const end = { id, status, reason, result, ...defined({ usage }) };
    return (await call(verbs.swarmEnd, end)).ended;
  }
}

export function remotePlace(remote: RemoteConnection, clock: Clock = systemClock): SwarmPlace {
  const asBearer = remote.callAs(BEARER);
  const asLead = ({ participants }: Pick<RunRecord, 'participants'>): Caller => {
    const lead = participants.find(({ role }) => role === 'lead');
    return lead === undefined ? BEARER : caller(lead.name, 'lead');
  };
  return {
    runsOf: (lead) => new RemoteRuns(remote, lead === undefined ? BEARER : caller(lead, 'lead'), clock),
    list: (query) => asBearer(verbs.swarmList, query),
    start: (input) => remote.callAs(asLead(input))(verbs.swarmStart, input),
    answer: (input) => asBearer(verbs.swarmAnswer, input),
    keep: (run, input) => remote.callAs(asLead(run))(verbs.swarmKeep, input),
  };
}
