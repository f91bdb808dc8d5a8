/** The working memory of a run that a server keeps: each change is made there, in one step. */
import type { Caller } from '../kernel/caller.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { StateChange } from '../ports/state-store.ts';
import { verbs } from '../verbs.ts';
import {
  type Changed,
  type ChangeOptions,
  type ChangesQuery,
  type PatchOperation,
  type SharedState,
  type StateLook,
  type StatePath,
  type StateView,
  toJson,
  toKeys,
  toPointer,
  type WatchOptions,
} from '../working/index.ts';
import type { RemoteConnection } from './remote.ts';

/** Checked here as well: JSON would turn what it cannot say into something else. */
const pointer = (path: StatePath): string => toPointer(toKeys(path));

export class RemoteState implements SharedState {
  readonly run: string;
  readonly #remote: RemoteConnection;
  readonly #caller: Caller;

  constructor(run: string, remote: RemoteConnection, caller: Caller) {
    this.run = run;
    this.#remote = remote;
    this.#caller = caller;
  }

  async get(path: StatePath = ''): Promise<JsonValue | undefined> {
    return (await this.look(path)).value;
  }

  async look(path: StatePath = ''): Promise<StateLook> {
    return this.#call(verbs.stateGet, { id: this.run, path: pointer(path) });
  }

  async read(): Promise<StateView> {
    const { version, updatedAt, value } = await this.look();
    return { version, updatedAt, document: value as StateView['document'] };
  }

  async set(path: StatePath, value: unknown, options: ChangeOptions = {}): Promise<Changed> {
    const given = { id: this.run, path: pointer(path), value: toJson(value), ...options };
    return this.#call(verbs.stateSet, given);
  }

  async merge(
    patch: unknown,
    { path = '', ...options }: ChangeOptions & { readonly path?: StatePath } = {},
  ): Promise<Changed> {
    const given = { id: this.run, path: pointer(path), value: toJson(patch), ...options };
    return this.#call(verbs.stateMerge, given);
  }

  async patch(patch: readonly PatchOperation[], options: ChangeOptions = {}): Promise<Changed> {
    const given = toJson(patch);
    return this.#call(verbs.statePatch, {
      ...{ id: this.run, operations: given as unknown[], ...options },
    });
  }

  async append(path: StatePath, entry: unknown, options: ChangeOptions = {}) {
    const given = { id: this.run, path: pointer(path), value: toJson(entry), ...options };
    return this.#call(verbs.stateAppend, given);
  }

  async increment(path: StatePath, by = 1, options: ChangeOptions = {}) {
    return this.#call(verbs.stateIncrement, { id: this.run, path: pointer(path), by, ...options });
  }

  async remove(path: StatePath, options: ChangeOptions = {}): Promise<Changed> {
    return this.#call(verbs.stateRemove, { id: this.run, path: pointer(path), ...options });
  }

  async *watch({ after, signal }: WatchOptions = {}): AsyncGenerator<StateChange> {
    const start = after ?? (await this.look()).version;
    const query = { id: this.run, after: String(start) };
    yield* this.#remote.follow<StateChange>('/v1/state/watch', query, this.#caller, signal);
  }

  changes(query: ChangesQuery = {}): Promise<readonly StateChange[]> {
    const { after = 0, limit = 100 } = query;
    return this.#call(verbs.stateChanges, { id: this.run, after, limit: Math.min(limit, 1_000) });
  }

  get #call() {
    return this.#remote.callAs(this.#caller);
  }
}
