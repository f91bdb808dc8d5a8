/** The interface of `run.state`, the same for a local store, Redis and a server. */
import type { JsonValue } from '../kernel/json.ts';
import type { StateChange, StateSnapshot } from '../ports/state-store.ts';
import type { PatchOperation } from './json-patch.ts';
import type { StatePath } from './path.ts';

export interface ChangeOptions {
  /** Make the change only if the state is still at this version; else it fails with CONFLICT. */
  readonly ifVersion?: number;
}

export interface Changed {
  /** The version that the change made. */
  readonly version: number;
}

export interface WatchOptions {
  /** Begin after this version; default: with the next change. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export interface ChangesQuery {
  readonly after?: number;
  readonly limit?: number;
}

export type StateView = Pick<StateSnapshot, 'version' | 'document' | 'updatedAt'>;

/** What is at a path, and of which version that is. */
export interface StateLook {
  readonly version: number;
  readonly updatedAt: number;
  /** Absent where nothing is. */
  readonly value?: JsonValue;
}

export interface SharedState {
  readonly run: string;
  /** What is at a path; the whole document without one, undefined where nothing is. */
  get(path?: StatePath): Promise<JsonValue | undefined>;
  /** The same with the version that it is of. */
  look(path?: StatePath): Promise<StateLook>;
  /** The whole document with its version. */
  read(): Promise<StateView>;
  /** Puts a value at a path; objects that are missing on the way are made. */
  set(path: StatePath, value: unknown, options?: ChangeOptions): Promise<Changed>;
  /** Merges an object into the document, or into what is at `path`: null removes a key (RFC 7396). */
  merge(patch: unknown, options?: ChangeOptions & { readonly path?: StatePath }): Promise<Changed>;
  /** Applies a JSON Patch (RFC 6902): all of its operations, or none. */
  patch(operations: readonly PatchOperation[], options?: ChangeOptions): Promise<Changed>;
  /** Adds an entry to the end of a list, which is made if it is missing. */
  append(
    path: StatePath,
    entry: unknown,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly length: number }>;
  /** Adds to a number, which begins at 0. */
  increment(
    path: StatePath,
    by?: number,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly value: number }>;
  /** Removes what is at a path; nothing happens where nothing is. */
  remove(path: StatePath, options?: ChangeOptions): Promise<Changed>;
  /** The changes of all participants as they come: who changed what, and when. Ends with the run. */
  watch(options?: WatchOptions): AsyncGenerator<StateChange>;
  /** Changes that were made already, oldest first. */
  changes(query?: ChangesQuery): Promise<readonly StateChange[]>;
}
