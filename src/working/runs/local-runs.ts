/** The runs of a workspace: their records, states, messages and events, on the stores of this process. */

import { Gate, type Quarantine } from '../../guard/index.ts';
import { type Caller, writerOf } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import type { EventHub } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Guard } from '../../ports/guard.ts';
import type { BusDraft, BusMessage, BusQuery } from '../../ports/message-bus.ts';
import type { RunDraft, RunEnd, RunQuery, RunRecord, RunUsage } from '../../ports/run-store.ts';
import type { Storage } from '../../ports/storage.ts';
import { deathOf, livesByState } from '../rules/run-life.ts';
import { RunState, STATE_LEASE } from '../run-state.ts';
import type { SharedState } from '../shared-state.ts';
import { judgeState, type StateGuardParts } from '../state-guard.ts';
import { type RunEventDraft, RunEvents } from './run-events.ts';
import { type Actor, type BusWatch, leadOf, PROGRAM, type RunServices } from './run-services.ts';

const MAX_PAGE = 1_000;
/** The state of a run stays for a day after its last sign of life, so that it need not be told of each. */
const STATE_TOUCH_MS = STATE_LEASE / 144;
/** How often it is checked whether a run that is watched still lives. */
const WATCHED_LOOK_MS = 5_000;

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
  /** The runs that this process coordinates, and when it last prolonged their states. */
  readonly #own = new Map<string, number>();

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

  /** This process coordinates the run: as long as it can look, the run is not dead. */
  claim(id: string): void {
    this.#own.set(id, this.clock.now());
  }

  async get(id: string): Promise<RunRecord | null> {
    const run = await this.#storage.runs.get(id);
    if (run === null || run.status !== 'running' || run.leaseUntil >= this.clock.now()) return run;
    return (await this.#endIfDead(run, this.clock.now())) ? this.#storage.runs.get(id) : run;
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

  /** Ends with the run, also with one whose process died. */
  async *watchMessages(query: BusWatch): AsyncGenerator<BusMessage> {
    const look = setInterval(() => void this.get(query.run).catch(() => {}), WATCHED_LOOK_MS);
    look.unref();
    try {
      yield* this.#storage.bus.watch(query);
    } finally {
      clearInterval(look);
    }
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

  async touch({ id, leaseMs }: Pick<RunRecord, 'id' | 'leaseMs'>, usage?: RunUsage): Promise<boolean> {
    const { runs, state } = this.#storage;
    const now = this.clock.now();
    const alive = await runs.touch(id, { leaseUntil: now + leaseMs, ...defined({ usage }) });
    const last = this.#own.get(id);
    if (alive && (last === undefined || now - last >= STATE_TOUCH_MS)) {
      if (last !== undefined) this.#own.set(id, now);
      await state.touch(id, now + STATE_LEASE, now);
    }
    return alive;
  }

  async end(run: Named, end: RunEnd): Promise<boolean> {
    const { runs, state, bus } = this.#storage;
    // Noted first: should the process die in between, the lease takes care of the rest.
    const ended = await runs.end(run.id, end);
    // Somebody gave a sign of life at the last moment.
    if (!ended && end.leaseBefore !== undefined) return false;
    this.#own.delete(run.id);
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
      if (await this.#endIfDead(run, now)) swept.push(run.id);
    }
    await state.sweep(now);
    return swept;
  }

  async #endIfDead(run: RunRecord, now: number): Promise<boolean> {
    // A machine that slept has had no chance to give signs of life.
    if (this.#own.has(run.id)) return false;
    if (livesByState(run)) {
      const leaseUntil = (await this.#storage.state.read(run.id, []))?.leaseUntil ?? 0;
      if (leaseUntil >= now) {
        await this.#storage.runs.touch(run.id, { leaseUntil });
        return false;
      }
    }
    const end = { status: 'failed', endedAt: now, reason: deathOf(run), result: null } as const;
    return this.end(run, { ...end, leaseBefore: now });
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
