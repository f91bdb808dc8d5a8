/** A process that dies at a chosen step, be it a step of the file system or of the log. */

import type { Files, OpenFile } from '../../../src/ports/files.ts';
import type { LogStore } from '../../../src/ports/log-store.ts';
import { Crash } from '../../../src/testing/faulty-files.ts';

export interface CrashPlan {
  /** Counted from 1; it and every later step are not done. */
  readonly at: number;
  /** A write at that step leaves the first half of its bytes behind. */
  readonly torn?: boolean;
}

/** Both doors share one count, because what matters is the order of steps over both. */
export class CrashPoint {
  /** Every step so far, in order, for example `file.write` or `log.append`. */
  readonly steps: string[] = [];
  readonly files: Files;
  readonly log: LogStore;
  readonly #plan: CrashPlan | undefined;
  readonly #handles = new Set<OpenFile>();
  #dead = false;

  constructor(files: Files, log: LogStore, plan?: CrashPlan) {
    this.#plan = plan;
    this.files = this.#guard('file', files, {
      open: async (path: string, flags: number, mode?: number) =>
        this.#guardHandle(await this.#step('file.open', () => files.open(path, flags, mode))),
    });
    this.log = this.#guard('log', log, {});
  }

  get died(): boolean {
    return this.#dead;
  }

  #guardHandle(handle: OpenFile): OpenFile {
    this.#handles.add(handle);
    return this.#guard('file', handle, {
      write: (bytes: Uint8Array, offset: number, length: number) =>
        this.#step(
          'file.write',
          () => handle.write(bytes, offset, length),
          () => handle.write(bytes, offset, Math.ceil(length / 2)),
        ),
      close: async () => {
        this.#handles.delete(handle);
        if (!this.#dead) await handle.close();
        await this.#step('file.close', async () => {});
      },
    });
  }

  /** Every method of `inner` becomes a step, but for those that are given. */
  #guard<T extends object>(kind: string, inner: T, own: Partial<T>): T {
    return new Proxy(inner, {
      get: (target, name: string) => {
        const method = target[name as keyof T];
        if (typeof method !== 'function') return method;
        return (
          own[name as keyof T] ??
          ((...parameters: unknown[]) =>
            this.#step(`${kind}.${name}`, () => method.apply(target, parameters) as Promise<unknown>))
        );
      },
    });
  }

  async #step<T>(name: string, work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    if (this.#dead) throw new Crash(name);
    this.steps.push(name);
    if (this.steps.length !== this.#plan?.at) return work();
    if (this.#plan.torn === true) await half?.();
    this.#dead = true;
    // The kernel closes the files of a dead process.
    for (const handle of this.#handles) await handle.close();
    throw new Crash(name);
  }
}
