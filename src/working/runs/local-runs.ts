/** The runs of a workspace: their records, states, messages and events, on the stores of this process. */

import { Gate, type Quarantine } from '../../guard/index.ts';
import { type Caller, writerOf } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import type { EventHub } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Guard } from '../../ports/guard.ts';
import type { BusDraft, BusMessage, BusQuery } from '../../ports/message-bus.ts';
import type { RunDraft, RunEnd, RunQuery, RunRecord } from '../../ports/run-store.ts';
import type { Storage } from '../../ports/storage.ts';
import { RunState } from '../run-state.ts';
import type { SharedState } from '../shared-state.ts';
import { judgeState, type StateGuardParts } from '../state-guard.ts';
import { type RunEventDraft, RunEvents } from './run-events.ts';
import {
  type Actor,
  type BusWatch,
  leadOf,
  PROGRAM,
  type RunServices,
  type SignOfLife,
} from './run-services.ts';

const MAX_PAGE = 1_000;
const DEAD = 'It gave no sign of life for a day.';

export interface LocalRunsParts {
  readonly storage: Pick<Storage, 'runs' | 'state' | 'bus' | 'events'>;
  readonly clock: Clock;
  readonly hub: EventHub;
  readonly guard: Guard;
  readonly quarantine: Quarantine;
}

type Named = Pick<RunRecord, 'id' | 'swarm' | 'participants'>;

export class LocalRuns implements RunServices {
  readonly clock: Clock;
  readonly #storage: LocalRunsParts['storage'];
  readonly #guarding: StateGuardParts;
  readonly #events: RunEvents;

  constructor({ storage, clock, hub, guard, quarantine }: LocalRunsParts) {
    this.clock = clock;
    this.#storage = storage;
    this.#guarding = {
      guard,
      gate: new Gate({ guard, events: storage.events, hub, clock, quarantine }),
    };
    this.#events = new RunEvents({ events: storage.events, hub });
  }

  async create(draft: RunDraft, document: JsonObject): Promise<RunRecord> {
    const { runs, state } = this.#storage;
    const { id: run, startedAt: at, leaseUntil } = draft;
    // Before the run: should it fail, nothing claims to be running.
    await state.create({ run, document, by: PROGRAM, at, leaseUntil });
    const record = await runs.create(draft);
    this.#events.tell(
      this.#runEvent('swarm.run.started', record),
      ...record.participants.map(
        ({ name: agent, role }): RunEventDraft => ({
          ...{ type: 'swarm.participant.joined', at, agent, via: 'system', run, role },
        }),
      ),
    );
    return record;
  }

  get(id: string): Promise<RunRecord | null> {
    return this.#storage.runs.get(id);
  }

  /** Newest first. */
  async list(query: RunQuery): Promise<readonly RunRecord[]> {
    await this.sweep();
    return this.#storage.runs.list(query);
  }

  stateOf(run: string, actor?: Actor): SharedState {
    const { clock } = this;
    const by = actor?.agent ?? PROGRAM;
    const caller = actor === undefined ? undefined : callerOf(actor);
    return new RunState({
      ...{ store: this.#storage.state, clock, run, by },
      ...(caller === undefined ? {} : { authorize: () => void writerOf(caller) }),
      ...(caller === undefined || actor?.isReleased
        ? {}
        : { judge: (value, write) => judgeState(value, { ...write, run }, caller, this.#guarding) }),
      onChange: ({ version, op, path }) =>
        this.#events.tell({
          ...{ type: 'swarm.state.changed', at: clock.now(), via: caller?.via ?? 'system' },
          ...(actor === undefined ? {} : { agent: actor.agent }),
          ...(actor?.session === undefined ? {} : { session: actor.session }),
          ...{ run, version, op, path },
        }),
    });
  }

  messages(query: BusQuery): Promise<readonly BusMessage[]> {
    return this.#storage.bus.read(query);
  }

  watchMessages(query: BusWatch): AsyncIterable<BusMessage> {
    return this.#storage.bus.watch(query);
  }

  async publish(draft: BusDraft): Promise<void> {
    await this.#storage.bus.publish(draft);
    const { run, agent, id: message, role, at } = draft;
    this.#events.tell({ type: 'swarm.message', at, agent, via: 'system', run, message, role });
  }

  note(run: string, agent: string, failure?: string): void {
    const envelope = { at: this.clock.now(), agent, via: 'system', run } as const;
    this.#events.tell(
      failure === undefined
        ? { type: 'swarm.participant.finished', ...envelope }
        : { type: 'swarm.participant.failed', ...envelope, code: failure },
    );
  }

  async touch(id: string, sign: SignOfLife): Promise<boolean> {
    const { runs, state } = this.#storage;
    const [alive] = await Promise.all([
      runs.touch(id, sign),
      state.touch(id, sign.leaseUntil, this.clock.now()),
    ]);
    return alive;
  }

  async end(run: Named, end: RunEnd): Promise<boolean> {
    const { runs, state, bus } = this.#storage;
    // Noted first: should the process die in between, the lease takes care of the rest.
    const ended = await runs.end(run.id, end);
    await state.remove(run.id);
    await bus.end(run.id);
    if (ended) this.#events.tell(this.#runEvent(`swarm.run.${end.status}`, run));
    await this.#events.settled();
    return ended;
  }

  /** Ends the runs whose process died, and removes what they left behind. */
  async sweep(): Promise<readonly string[]> {
    const { runs, state } = this.#storage;
    const now = this.clock.now();
    const swept: string[] = [];
    for (const run of await runs.list({ status: 'running', leaseBefore: now, limit: MAX_PAGE })) {
      // Changes of the state are signs of life as well, and come from any process.
      const leaseUntil = (await state.read(run.id, []))?.leaseUntil ?? 0;
      if (leaseUntil >= now) await runs.touch(run.id, { leaseUntil });
      else if (await this.end(run, { status: 'failed', endedAt: now, reason: DEAD, result: null }))
        swept.push(run.id);
    }
    await state.sweep(now);
    return swept;
  }

  /** When observers know of everything that was done until now. */
  settled(): Promise<void> {
    return this.#events.settled();
  }

  #runEvent(type: `swarm.run.${'started' | RunEnd['status']}`, { id, swarm, participants }: Named) {
    const agent = leadOf(participants);
    return {
      ...{ type, at: this.clock.now(), via: 'system', run: id, swarm },
      ...defined({ agent }),
    } as RunEventDraft;
  }
}

function callerOf({ agent, role, session, via = 'tool' }: Actor): Caller {
  return { viewer: { agent, role }, via, ...defined({ session }) };
}
