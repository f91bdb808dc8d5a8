/** A worker thread with its pending calls; if it dies, they fail, and the next call starts a new one. */

import { Worker } from 'node:worker_threads';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { runsFromSource } from '../../runtime/own-file.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import type { WorkerAnswer, WorkerRequest, WorkerSettings } from './protocol.ts';

interface Waiting<Vector> {
  readonly resolve: (vectors: readonly Vector[]) => void;
  readonly reject: (error: KeepsakeError) => void;
}

/** Sources run as they are; the package holds them compiled. */
const entry = (): URL =>
  new URL(runsFromSource() ? 'src/models/onnx/worker.ts' : 'dist/sdk/onnx-worker.js', packageRoot());

export class WorkerThread<Task extends WorkerRequest['task'], Vector> {
  readonly #settings: WorkerSettings;
  readonly #waiting = new Map<number, Waiting<Vector>>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  get #name(): string {
    return this.#settings.name;
  }

  call(task: Task): Promise<readonly Vector[]> {
    const worker = this.#running();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, task } satisfies WorkerRequest);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#failAll(new KeepsakeError('CLOSED', `The model ${this.#name} was closed.`));
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // Flags of the parent, such as --input-type, are not meant for it and can keep it from starting.
    const worker = new Worker(entry(), { workerData: this.#settings, execArgv: [] });
    worker.on('message', (answer: WorkerAnswer) => this.#settle(answer));
    worker.on('error', (cause) => this.#lost(worker, cause));
    worker.on('exit', () => this.#lost(worker));
    this.#worker = worker;
    return worker;
  }

  #settle({ id, vectors, failure }: WorkerAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    // An idle model must not keep the program alive, and a call that is waited for must.
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (failure !== undefined) {
      const { code, message, hint } = failure;
      waiting?.reject(new KeepsakeError(code, message, defined({ hint })));
      // What could not be opened may be there at the next call, for example after an installation.
      if (this.#waiting.size === 0) this.#release();
    } else waiting?.resolve((vectors ?? []) as readonly Vector[]);
  }

  #release(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #lost(worker: Worker, cause?: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#failAll(
      new KeepsakeError('UNAVAILABLE', `The thread of the model ${this.#name} ended unexpectedly.`, {
        hint: 'The next call starts a new one. If it happens again, there may be too little memory.',
        cause,
      }),
    );
  }

  #failAll(error: KeepsakeError): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }
}
