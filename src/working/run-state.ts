/** `run.state`: the working memory of one swarm run, as one of its participants sees and changes it. */

import { type Clock, DAY } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type {
  StateChange,
  StateEdit,
  StateOperation,
  StateSnapshot,
  StateStore,
} from '../ports/state-store.ts';
import { appended, changeAt, incremented, merged, valueAt } from './edits.ts';
import { applyPatch, keysOf, type PatchOperation, readPatch } from './json-patch.ts';
import { type StatePath, toKeys, toPointer } from './path.ts';
import { noState } from './rules/state-errors.ts';
import type {
  Changed,
  ChangeOptions,
  ChangesQuery,
  SharedState,
  StateLook,
  StateView,
  WatchOptions,
} from './shared-state.ts';
import { checkDepth, isObject, toJson } from './values.ts';

const MAX_STATE_BYTES = 1024 * 1024;
/** How long the state of a run that died stays after its last sign of life. */
export const STATE_LEASE = DAY;
const MAX_PAGE = 1_000;

export interface RunStateParts {
  readonly store: StateStore;
  readonly clock: Clock;
  readonly run: string;
  /** Whose hands it is changed with. */
  readonly by: string;
  /** Throws when it may not be changed with these hands. */
  readonly authorize?: (() => void) | undefined;
  /** Judges what is about to be written: answers with what may be, or throws. */
  readonly judge?: ((value: JsonValue, write: IntendedWrite) => Promise<JsonValue>) | undefined;
  /** Told of every change that was made. */
  readonly onChange?: ((change: Pick<StateChange, 'version' | 'op' | 'path'>) => void) | undefined;
}

/** What a value is given for. */
export interface IntendedWrite {
  readonly op: StateOperation;
  readonly path: string;
}

type Edit = Pick<StateEdit, 'op' | 'path' | 'keys' | 'apply'> & { readonly value?: JsonValue };

export class RunState implements SharedState {
  readonly run: string;
  readonly #parts: RunStateParts;

  constructor(parts: RunStateParts) {
    this.run = parts.run;
    this.#parts = parts;
  }

  async get(path: StatePath = ''): Promise<JsonValue | undefined> {
    return (await this.look(path)).value;
  }

  async look(path: StatePath = ''): Promise<StateLook> {
    const keys = toKeys(path);
    const { document, version, updatedAt } = await this.#read(keys[0] === undefined ? undefined : [keys[0]]);
    const value = valueAt(document, keys);
    return { version, updatedAt, ...defined({ value }) };
  }

  async read(): Promise<StateView> {
    const { version, document, updatedAt } = await this.#read();
    return { version, document, updatedAt };
  }

  async set(path: StatePath, value: unknown, options?: ChangeOptions): Promise<Changed> {
    const given = await this.#given(value, 'set', path);
    return this.#changeAt('set', path, given, () => given, options);
  }

  async merge(patch: unknown, options: ChangeOptions & { readonly path?: StatePath } = {}): Promise<Changed> {
    const { path = '', ...rest } = options;
    const given = await this.#given(patch, 'merge', path);
    const keys = toKeys(path);
    if (keys.length > 0) return this.#changeAt('merge', path, given, (value) => merged(value, given), rest);
    if (!isObject(given)) {
      throw new KeepsakeError('INVALID_INPUT', 'Only an object can be merged into the state.', {
        hint: 'For example: merge({ status: "research_complete" })',
      });
    }
    return this.#edit(
      {
        op: 'merge',
        path: '',
        value: given,
        keys: Object.keys(given),
        apply: (part) => merged(part, given) as JsonObject,
      },
      rest,
    );
  }

  async patch(operations: readonly PatchOperation[], options?: ChangeOptions): Promise<Changed> {
    const given = await this.#given(operations, 'patch', '');
    const steps = readPatch(given);
    const edit = {
      op: 'patch',
      path: '',
      value: given,
      keys: keysOf(steps),
      apply: (part: JsonObject) => applyPatch(part, steps),
    } as const;
    return this.#edit(edit, options);
  }

  async append(
    path: StatePath,
    entry: unknown,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly length: number }> {
    const given = await this.#given(entry, 'append', path);
    let length = 0;
    const pointer = toPointer(toKeys(path));
    const append = (value: JsonValue | undefined) => {
      const list = appended(value, given, pointer);
      length = list.length;
      return list;
    };
    const { version } = await this.#changeAt('append', path, given, append, options);
    return { version, length };
  }

  async increment(
    path: StatePath,
    by = 1,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly value: number }> {
    if (!Number.isFinite(by)) {
      throw new KeepsakeError('INVALID_INPUT', 'increment() expects a number.', {
        hint: 'For example 1 or -1.',
      });
    }
    let value = 0;
    const pointer = toPointer(toKeys(path));
    const add = (present: JsonValue | undefined) => {
      value = incremented(present, by, pointer);
      return value;
    };
    const { version } = await this.#changeAt('increment', path, by, add, options);
    return { version, value };
  }

  remove(path: StatePath, options?: ChangeOptions): Promise<Changed> {
    return this.#changeAt('delete', path, undefined, () => undefined, options);
  }

  async *watch({ after, signal }: WatchOptions = {}): AsyncGenerator<StateChange> {
    const start = after ?? (await this.#read([])).version;
    yield* this.#parts.store.watch({ run: this.run, after: start, signal });
  }

  changes({ after = 0, limit = 100 }: ChangesQuery = {}): Promise<readonly StateChange[]> {
    return this.#parts.store.changes({ run: this.run, after, limit: Math.min(limit, MAX_PAGE) });
  }

  async #given(value: unknown, op: StateOperation, path: StatePath): Promise<JsonValue> {
    this.#parts.authorize?.();
    const given = toJson(value);
    return this.#parts.judge?.(given, { op, path: toPointer(toKeys(path)) }) ?? given;
  }

  async #read(keys?: readonly string[]): Promise<StateSnapshot> {
    const snapshot = await this.#parts.store.read(this.run, keys);
    if (snapshot !== null) return snapshot;
    throw noState(this.run);
  }

  async #changeAt(
    op: StateOperation,
    path: StatePath,
    value: JsonValue | undefined,
    change: (value: JsonValue | undefined) => JsonValue | undefined,
    options: ChangeOptions | undefined,
  ): Promise<Changed> {
    const keys = toKeys(path);
    const edit: Edit = {
      op,
      path: toPointer(keys),
      keys: keys[0] === undefined ? null : [keys[0]],
      apply: (part) => changeAt(part, keys, change),
      ...defined({ value }),
    };
    return this.#edit(edit, options);
  }

  async #edit({ apply, ...edit }: Edit, { ifVersion }: ChangeOptions = {}): Promise<Changed> {
    const { store, clock, run, by, authorize, onChange } = this.#parts;
    authorize?.();
    const at = clock.now();
    const version = await store.edit({
      ...edit,
      ...{ run, by, at, leaseUntil: at + STATE_LEASE, maxBytes: MAX_STATE_BYTES },
      ...defined({ ifVersion }),
      apply: (part) => {
        const changed = apply(part);
        for (const [key, value] of Object.entries(changed)) {
          if (!Object.hasOwn(part, key) || part[key] !== value) checkDepth(value);
        }
        return changed;
      },
    });
    onChange?.({ version, op: edit.op, path: edit.path });
    return { version };
  }
}

/** What a state may begin with. */
export function toDocument(given: object): JsonObject {
  const document = toJson(given);
  if (!isObject(document)) {
    throw new KeepsakeError('INVALID_INPUT', 'The initial state must be an object.', {
      hint: 'For example: { audience: "engineers" }',
    });
  }
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes <= MAX_STATE_BYTES) return document;
  throw new KeepsakeError(
    'TOO_LARGE',
    `The state would have ${bytes} bytes; ${MAX_STATE_BYTES} are allowed.`,
    {
      hint: 'Shorten the task, or begin with less.',
    },
  );
}
