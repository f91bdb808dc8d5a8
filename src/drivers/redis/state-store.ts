/** The working state of swarm runs in Redis: a hash with one field for each key of the document, and a stream of changes. */

import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { noState, otherVersion, tooLarge } from '../../kernel/state-errors.ts';
import type {
  StateChange,
  StateDraft,
  StateEdit,
  StateOperation,
  StateSnapshot,
  StateStore,
} from '../../ports/state-store.ts';
import type { RedisConnection } from './connection.ts';
import { type Field, fieldOf, readFields, sizeOf, toDocument } from './fields.ts';
import { CREATE, EDIT, TOUCH } from './scripts.ts';
import { type Entry, followStream, readStream } from './streams.ts';

/** Larger values are not repeated in the feed: whoever wants them reads the document. */
const MAX_FEED_VALUE = 8_192;
/** Each time somebody else was faster, so that a run gets on even when one change does not. */
const MOST_TRIES = 1_000;

// The braces keep all keys of a run on one node of a cluster.
const keysOf = (run: string): [state: string, feed: string] => [
  `keepsake:{${run}}:state`,
  `keepsake:{${run}}:feed`,
];

interface Present {
  readonly version: number;
  readonly fields: ReadonlyMap<string, Field>;
}

export class RedisStateStore implements StateStore {
  readonly #connection: RedisConnection;
  /** Changes of one process to one run take turns: they would only get in each other's way. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(connection: RedisConnection) {
    this.#connection = connection;
  }

  async create({ run, document, at, by, leaseUntil }: StateDraft): Promise<StateSnapshot> {
    const fields = Object.entries(document).flatMap(([key, value]) => [fieldOf(key), JSON.stringify(value)]);
    const head = [sizeOf(document), at, leaseUntil, leaseUntil - at].map(String);
    const made = await this.#connection.run(CREATE, keysOf(run), [
      ...head,
      by,
      feedValue(document),
      ...fields,
    ]);
    if (made === 1) return { run, version: 1, document, updatedAt: at, leaseUntil };
    throw new KeepsakeError('CONFLICT', `The run ${run} has a working state already.`, {
      hint: 'Change it, or begin another run.',
    });
  }

  async read(run: string, keys?: readonly string[]): Promise<StateSnapshot | null> {
    const [state] = keysOf(run);
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
    const { run } = edit;
    const before = this.#turns.get(run) ?? Promise.resolve();
    const turn = before.then(
      () => this.#edit(edit),
      (error: unknown) => {
        // Who waits behind a call that got no answer need not wait for the same again.
        if (KeepsakeError.is(error) && error.code === 'UNAVAILABLE') throw error;
        return this.#edit(edit);
      },
    );
    this.#turns.set(run, turn);
    const over = (): void => {
      if (this.#turns.get(run) === turn) this.#turns.delete(run);
    };
    turn.then(over, over);
    return turn;
  }

  async changes({ run, after, limit }: { run: string; after: number; limit: number }) {
    const entries = await readStream(this.#connection, keysOf(run)[1], after, limit);
    return entries.map((entry) => toChange(run, entry));
  }

  async *watch({ run, ...start }: { run: string; after: number; signal?: AbortSignal | undefined }) {
    const [state, feed] = keysOf(run);
    const isOver = async () => (await this.#connection.command('EXISTS', state)) === 0;
    for await (const entry of followStream(this.#connection, feed, start, isOver)) yield toChange(run, entry);
  }

  async touch(run: string, leaseUntil: number, at: number): Promise<void> {
    await this.#connection.run(TOUCH, keysOf(run), [String(leaseUntil), String(leaseUntil - at)]);
  }

  async remove(run: string): Promise<boolean> {
    const [state, feed] = keysOf(run);
    const removed = await this.#connection.command('DEL', state, feed);
    return Number(removed) > 0;
  }

  /** Redis removes what outlived its lease by itself. */
  async sweep(): Promise<readonly string[]> {
    await this.#connection.command('PING');
    return [];
  }

  async #edit(edit: StateEdit): Promise<number> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const version = await this.#try(edit);
      if (version !== undefined) return version;
    }
    throw new KeepsakeError('BUSY', `Others changed the state of ${edit.run} all the time.`, {
      hint: 'Try again; spread changes over several keys.',
    });
  }

  /** Undefined when somebody else was faster. */
  async #try(edit: StateEdit): Promise<number | undefined> {
    const { run, by, op, path, value, at, leaseUntil, maxBytes } = edit;
    const present = await this.#present(edit);
    const { expected, changes, growth } = difference(edit, present);
    // Without named keys, every other change matters.
    const wanted = edit.keys === null ? present.version : edit.ifVersion;
    const answer = await this.#connection.run(EDIT, keysOf(run), [
      ...[wanted ?? '', maxBytes, growth, at, leaseUntil, leaseUntil - at].map(String),
      ...[by, op, path, value === undefined ? '' : feedValue(value)],
      String(expected.length / 2),
      ...expected,
      ...changes,
    ]);
    if (!Array.isArray(answer)) return Number(answer);
    const [outcome, detail] = answer as [string, string | undefined];
    if (outcome === 'gone') throw noState(run);
    if (outcome === 'large') throw tooLarge(run, Number(detail), maxBytes);
    if (outcome === 'version' && edit.ifVersion !== undefined)
      throw otherVersion(run, edit.ifVersion, Number(detail));
    return undefined;
  }

  async #present({ run, keys, ifVersion }: StateEdit): Promise<Present> {
    const { meta, fields } = await readFields(this.#connection, keysOf(run)[0], keys ?? undefined);
    if (meta.v === undefined) throw noState(run);
    const version = Number(meta.v);
    if (ifVersion !== undefined && ifVersion !== version) throw otherVersion(run, ifVersion, version);
    return { version, fields };
  }
}

/** What the script must find, what it puts in its place, and by how many bytes the document grows. */
function difference({ keys, apply }: StateEdit, { fields }: Present) {
  const after: JsonObject = apply(toDocument(fields));
  const expected: string[] = [];
  const changes: string[] = [];
  let growth = 0;
  for (const key of keys ?? new Set([...fields.keys(), ...Object.keys(after)])) {
    const old = fields.get(key);
    const text = Object.hasOwn(after, key) ? JSON.stringify(after[key]) : undefined;
    if (keys !== null) expected.push(fieldOf(key), old?.version ?? '');
    if (text === old?.text) continue;
    changes.push(fieldOf(key), text ?? '');
    growth +=
      (text === undefined ? 0 : entrySize(key, text)) - (old === undefined ? 0 : entrySize(key, old.text));
  }
  return { expected, changes, growth };
}

/** With its key, colon and comma. */
const entrySize = (key: string, text: string): number =>
  Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(text) + 2;

function feedValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_FEED_VALUE ? text : '';
}

function toChange(run: string, { seq, fields }: Entry): StateChange {
  const { at, by = '', op, path = '', value } = fields;
  const given = value === '' || value === undefined ? {} : { value: JSON.parse(value) as JsonValue };
  return { run, version: seq, at: Number(at), by, op: op as StateOperation, path, ...given };
}
