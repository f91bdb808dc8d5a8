/** A file system that fails on command: at the n-th operation, with a chosen error, a short write, or the end of the process. */
import type { Files, OpenFile } from '../ports/files.ts';

export type Fault =
  /** The operation is not done and reports this error number, e.g. `ENOSPC`. */
  | { readonly kind: 'error'; readonly errno: string }
  /** The operation is done and reports the error all the same, as network file systems and failing disks may. */
  | { readonly kind: 'late-error'; readonly errno: string }
  /** A write takes only this many bytes, by default one. Other operations are not affected. */
  | { readonly kind: 'short-write'; readonly bytes?: number }
  /** The process dies before the operation: it and everything after it throws `Crash` and does nothing. */
  | { readonly kind: 'crash' }
  /** Something else happens right before the operation, such as a person saving the file. */
  | { readonly kind: 'meanwhile'; readonly act: () => Promise<void> };

export interface FaultPlan {
  /** Counted from 1. */
  readonly at: number;
  readonly fault: Fault;
  /** Every later operation fails too. */
  readonly persistent?: boolean;
}

/** What a dead process cannot catch either: it carries no error number, so nothing may mistake it for a disk error. */
export class Crash extends Error {
  constructor(operation: string) {
    super(`The process died before: ${operation}`);
    this.name = 'Crash';
  }
}

/** Wraps any file system. Without a plan it only counts, which tells how many operations there are to fail. */
export class FaultyFiles implements Files {
  /** Every operation that was asked for, in order, e.g. `open`, `write`, `rename`. */
  readonly operations: string[] = [];
  /** The operations that the plan failed. */
  readonly failed: string[] = [];
  readonly #files: Files;
  readonly #plan: FaultPlan | undefined;
  readonly #handles = new Set<OpenFile>();
  #dead = false;

  constructor(files: Files, plan?: FaultPlan) {
    this.#files = files;
    this.#plan = plan;
  }

  async open(path: string, flags: number, mode?: number): Promise<OpenFile> {
    const handle = await this.#run(
      'open',
      () => this.#files.open(path, flags, mode),
      (opened) => opened.close(),
    );
    return this.#wrap(handle);
  }

  lstat(path: string) {
    return this.#run('lstat', () => this.#files.lstat(path));
  }

  realpath(path: string) {
    return this.#run('realpath', () => this.#files.realpath(path));
  }

  rename(from: string, to: string) {
    return this.#run('rename', () => this.#files.rename(from, to));
  }

  link(existing: string, path: string) {
    return this.#run('link', () => this.#files.link(existing, path));
  }

  unlink(path: string) {
    return this.#run('unlink', () => this.#files.unlink(path));
  }

  mkdir(path: string, mode: number) {
    return this.#run('mkdir', () => this.#files.mkdir(path, mode));
  }

  readdir(path: string) {
    return this.#run('readdir', () => this.#files.readdir(path));
  }

  #wrap(handle: OpenFile): OpenFile {
    this.#handles.add(handle);
    return {
      stat: () => this.#run('stat', () => handle.stat()),
      read: (into, offset, length, position) =>
        this.#run('read', () => handle.read(into, offset, length, position)),
      write: (from, offset, length) =>
        this.#run('write', (limit) => handle.write(from, offset, Math.min(length, limit))),
      truncate: (size) => this.#run('truncate', () => handle.truncate(size)),
      chmod: (mode) => this.#run('chmod', () => handle.chmod(mode)),
      chown: (uid, gid) => this.#run('chown', () => handle.chown(uid, gid)),
      sync: () => this.#run('sync', () => handle.sync()),
      close: async () => {
        // A close that reports an error has closed the file nevertheless.
        this.#handles.delete(handle);
        if (!this.#dead) await handle.close();
        await this.#run('close', async () => {});
      },
    };
  }

  /** `drop` frees a result that the caller never gets to see. */
  async #run<T>(
    operation: string,
    work: (limit: number) => Promise<T>,
    drop?: (result: T) => Promise<void>,
  ): Promise<T> {
    if (this.#dead) throw new Crash(operation);
    this.operations.push(operation);
    const fault = this.#faultOf(operation);
    if (fault !== undefined) this.failed.push(operation);
    switch (fault?.kind) {
      case 'error':
        throw errnoError(fault.errno, operation);
      case 'late-error': {
        const result = await work(Number.POSITIVE_INFINITY);
        await drop?.(result);
        throw errnoError(fault.errno, operation);
      }
      case 'short-write':
        return work(fault.bytes ?? 1);
      case 'crash':
        await this.#die();
        throw new Crash(operation);
      case 'meanwhile':
        await fault.act();
        return work(Number.POSITIVE_INFINITY);
      default:
        return work(Number.POSITIVE_INFINITY);
    }
  }

  #faultOf(operation: string): Fault | undefined {
    const count = this.operations.length;
    const { at, fault, persistent = false } = this.#plan ?? {};
    if (at === undefined || (persistent ? count < at : count !== at)) return undefined;
    return fault?.kind === 'short-write' && operation !== 'write' ? undefined : fault;
  }

  /** The kernel closes the files of a dead process. */
  async #die(): Promise<void> {
    this.#dead = true;
    for (const handle of this.#handles) await handle.close();
    this.#handles.clear();
  }
}

function errnoError(errno: string, operation: string): Error {
  return Object.assign(new Error(`${errno}: injected, ${operation}`), { code: errno, syscall: operation });
}
