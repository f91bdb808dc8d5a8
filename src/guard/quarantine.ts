/** Keeps refused writes until a person releases or deletes them. */

import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EventHub } from '../kernel/events.ts';
import type { IdFactory } from '../kernel/ids.ts';
import { validate } from '../kernel/validate.ts';
import type {
  BlockedDraft,
  QuarantineEntry,
  QuarantineLimits,
  QuarantineStore,
  RefusedWrite,
} from '../ports/quarantine-store.ts';
import { type ListQuarantineInput, listQuarantineInput, quarantineIdInput } from './inputs.ts';

/** Enough to review, too little to fill a disk with. */
const LIMITS: QuarantineLimits = { entries: 1_000, characters: 10_000_000 };

export interface QuarantineParts {
  readonly store: QuarantineStore;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly limits?: QuarantineLimits;
}

export interface ReleasedWrite {
  readonly id: string;
  /** Id of the memory or name of the section that came of it. */
  readonly releasedAs: string;
  readonly releasedBy: string;
}

export interface DeletedEntry {
  readonly id: string;
  readonly journalErased: boolean;
  readonly pagesErased: boolean;
}

export class Quarantine {
  readonly #parts: QuarantineParts;

  constructor(parts: QuarantineParts) {
    this.#parts = parts;
  }

  /** Stores the write together with the event that tells of it; answers with its id. */
  async keep(
    write: Omit<RefusedWrite, 'id' | 'at' | 'via' | 'session'>,
    event: BlockedDraft,
  ): Promise<string> {
    const { store, hub, ids, limits = LIMITS } = this.#parts;
    const { at, via, session = null } = event;
    const kept = await store.put({ ...write, id: ids('qtn'), at, via, session }, event, limits);
    hub.publish(kept.events);
    return kept.id;
  }

  async list(input: ListQuarantineInput, caller: Caller): Promise<readonly QuarantineEntry[]> {
    const { limit, after, state } = validate(listQuarantineInput, input, 'guard.list');
    const { agent } = requirePerson(caller).viewer;
    return this.#parts.store.list({
      limit,
      states: state === 'any' ? ['waiting', 'released'] : [state],
      ...defined({ agent, after }),
    });
  }

  async get(input: { id: string }, caller: Caller): Promise<QuarantineEntry> {
    const { id } = validate(quarantineIdInput, input, 'guard.get');
    const { agent, user } = requirePerson(caller).viewer;
    const entry = await this.#parts.store.get(id);
    if (
      entry !== null &&
      (agent === undefined || entry.agent === agent) &&
      (user === undefined || entry.user === user)
    )
      return entry;
    throw new KeepsakeError('NOT_FOUND', `Nothing is in quarantine under ${id}.`, {
      hint: 'See what is there with "keepsake guard list".',
    });
  }

  /** Does the write again through `write`, which has the consent of the guard, and remembers who let it through. */
  async release(
    input: { id: string },
    caller: Caller,
    write: (entry: QuarantineEntry, caller: Caller) => Promise<string>,
  ): Promise<ReleasedWrite> {
    const entry = await this.get(input, caller);
    if (entry.state === 'released') {
      throw new KeepsakeError('CONFLICT', `${entry.id} was released already, as ${entry.releasedAs}.`, {
        hint: 'There is nothing left to do.',
      });
    }
    // On behalf of whoever tried it first, so that it lands where it would have landed.
    const { agent, user } = entry;
    const viewer = {
      role: 'admin',
      ...defined({ agent: agent || undefined, user: user ?? undefined }),
    } as const;
    const releasedAs = await write(entry, { viewer, via: caller.via });
    const releasedBy = `${caller.viewer.agent ?? 'owner'} (${caller.via})`;
    await this.#parts.store.release(entry.id, {
      at: this.#parts.clock.now(),
      by: releasedBy,
      as: releasedAs,
    });
    return { id: entry.id, releasedAs, releasedBy };
  }

  async remove(input: { id: string }, caller: Caller): Promise<DeletedEntry> {
    const { id } = await this.get(input, caller);
    const erased = await this.#parts.store.remove(id);
    return { id, journalErased: erased?.journalErased ?? true, pagesErased: erased?.pagesErased ?? true };
  }
}

/** An agent that could release what it wrote would need no guard. The owner may, and whoever sits at the command line. */
export function requirePerson(caller: Caller): Caller {
  if (caller.viewer.role === 'admin' || caller.via === 'cli') return caller;
  throw new KeepsakeError('FORBIDDEN', 'The guard and its quarantine are for people.', {
    hint: 'Use "keepsake guard", or a client without an agent.',
  });
}
