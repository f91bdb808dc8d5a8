/** The working state of swarm runs in Redis: a hash with one field for each key of the document, and a stream of changes. */

import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type {
  StateChange,
  StateDraft,
  StateEdit,
  StateOperation,
  StateSnapshot,
  StateStore,
} from '../../ports/state-store.ts';
import { feedValue } from '../../working/rules/change-feed.ts';
import { firstState } from '../../working/rules/decide-state.ts';
import { noState, stateExists } from '../../working/rules/state-errors.ts';
import type { Commands, RedisConnection } from './connection.ts';
import { goesAlone, keysOfAll, prepare } from './edit-batch.ts';
import { fieldOf, readFields, sizeOf, toDocument } from './fields.ts';
import type { RedisKeys } from './keys.ts';
import { CREATE, EDIT, TOUCH } from './scripts.ts';
import { type Entry, followStream, readStream } from './streams.ts';

/** Each time somebody else was faster, so that a run gets on even when one change does not. */
const MOST_TRIES = 1_000;

/** As many as go together, so that one step of Redis stays short. */
const MOST_TOGETHER = 64;

interface Waiting {
  readonly edit: StateEdit;
  /** Begun when it was asked for, so that waiting for others counts. */
  readonly call: Commands;
  readonly resolve: (version: number) => void;
  readonly reject: (error: unknown) => void;
}

export class RedisStateStore implements StateStore {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  /** Changes of one process to one run take turns, and those that wait go together. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  #keysOf(run: string): [state: string, feed: string] {
    return [this.#keys.of(run, 'state'), this.#keys.of(run, 'feed')];
  }

  async create(draft: StateDraft): Promise<StateSnapshot> {
    const { run, document, at, by, leaseUntil } = draft;
    const fields = Object.entries(document).flatMap(([key, value]) => [fieldOf(key), JSON.stringify(value)]);
    const head = [sizeOf(document), at, leaseUntil, leaseUntil - at].map(String);
    const made = await this.#connection.run(CREATE, this.#keysOf(run), [
      ...head,
      by,
      feedValue(document) ?? '',
      ...fields,
    ]);
    if (made !== 1) throw stateExists(run);
    return firstState(draft);
  }

  async read(run: string, keys?: readonly string[]): Promise<StateSnapshot | null> {
    const [state] = this.#keysOf(run);
    const { meta, fields } = await readFields(this.#connection, state, keys);
    if (meta.v === undefined) return null;
    return {
      run,
      version: Number(meta.v),
      document: toDocument(fields),
      updatedAt: Number(meta.u),
      leaseUntil: Number(meta.l),
    };
  }

  edit(edit: StateEdit): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { edit, call: this.#connection.call(), resolve, reject };
      const queue = this.#waiting.get(edit.run);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const own = [waiting];
      this.#waiting.set(edit.run, own);
      void this.#work(edit.run, own);
    });
  }

  async changes({ run, after, limit }: { run: string; after: number; limit: number }) {
    const entries = await readStream(this.#connection, this.#keysOf(run)[1], after, limit);
    return entries.map((entry) => toChange(run, entry));
  }

  async *watch({ run, ...start }: { run: string; after: number; signal?: AbortSignal | undefined }) {
    const [state, feed] = this.#keysOf(run);
    const isOver = async () => (await this.#connection.command('EXISTS', state)) === 0;
    for await (const entry of followStream(this.#connection, feed, start, isOver)) yield toChange(run, entry);
  }

  async touch(run: string, leaseUntil: number, at: number): Promise<void> {
    await this.#connection.run(TOUCH, this.#keysOf(run), [String(leaseUntil), String(leaseUntil - at)]);
  }

  async remove(run: string): Promise<boolean> {
    const [state, feed] = this.#keysOf(run);
    const removed = await this.#connection.command('DEL', state, feed);
    return Number(removed) > 0;
  }

  /** Redis removes what outlived its lease by itself. */
  async sweep(): Promise<readonly string[]> {
    await this.#connection.command('PING');
    return [];
  }

  /** Until nothing waits any more. */
  async #work(run: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const until = queue.findIndex(({ edit }) => goesAlone(edit));
      const count = until === -1 ? Math.min(queue.length, MOST_TOGETHER) : Math.max(1, until);
      const batch = queue.splice(0, count);
      try {
        await this.#make(run, batch);
      } catch (error) {
        // Who waits behind a call that got no answer need not wait for the same again.
        const isGone = KeepsakeError.is(error) && error.code === 'UNAVAILABLE';
        for (const { reject } of isGone ? [...batch, ...queue.splice(0)] : batch) reject(error);
      }
    }
    this.#waiting.delete(run);
  }

  async #make(run: string, batch: readonly Waiting[]): Promise<void> {
    const edits = batch.map(({ edit }) => edit);
    const { call } = batch[0]!;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const present = await readFields(call, this.#keysOf(run)[0], keysOfAll(edits));
      if (present.meta.v === undefined) throw noState(run);
      const { outcomes, written, args } = prepare(edits, present);
      const last = written === 0 ? 0 : await this.#write(call, run, args);
      if (last === undefined) continue;
      for (const [i, outcome] of outcomes.entries()) {
        if ('error' in outcome) batch[i]!.reject(outcome.error);
        else batch[i]!.resolve(last - written + 1 + outcome.place);
      }
      return;
    }
    throw new KeepsakeError('BUSY', `Others changed the state of ${run} all the time.`, {
      hint: 'Try again; spread changes over several keys.',
    });
  }

  /** Undefined when somebody else was faster: what was worked out no longer holds. */
  async #write(redis: Commands, run: string, args: readonly string[]): Promise<number | undefined> {
    const answer = await redis.run(EDIT, this.#keysOf(run), args);
    if (!Array.isArray(answer)) return Number(answer);
    if (answer[0] === 'gone') throw noState(run);
    return undefined;
  }
}

function toChange(run: string, { seq, fields }: Entry): StateChange {
  const { at, by = '', op, path = '', value } = fields;
  const given = value === '' || value === undefined ? {} : { value: JSON.parse(value) as JsonValue };
  return { run, version: seq, at: Number(at), by, op: op as StateOperation, path, ...given };
}
