/** Runs code in a worker thread with limits on time and memory, so that untrusted input cannot stop the server. */
import { Worker } from 'node:worker_threads';
import { type ErrorCode, KeepsakeError } from '../kernel/errors.ts';
import { runsFromSource } from '../runtime/own-file.ts';
import { packageRoot } from '../runtime/package-root.ts';

/** What a thread answers to each request for more. */
export interface ThreadAnswer<Item> {
  readonly item?: Item;
  readonly failure?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint?: string;
    readonly details?: Record<string, unknown>;
  };
}

export interface ThreadProgram {
  /** Its source, relative to the package, for Node that reads TypeScript. */
  readonly source: string;
  /** The same in the published package. */
  readonly compiled: string;
}

export interface ThreadLimits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

export interface ThreadWork {
  readonly program: ThreadProgram;
  readonly input: unknown;
  readonly limits: ThreadLimits;
  /** What is refused when a limit is reached: "This conversation". */
  readonly what: string;
}

/** More threads would only share the same processors. */
const MOST_THREADS = 2;
/** Whoever comes later is told to come again. */
const MOST_WAITING = 16;

const waiting: (() => void)[] = [];
let running = 0;

async function enter(): Promise<void> {
  if (running < MOST_THREADS) {
    running++;
    return;
  }
  if (waiting.length >= MOST_WAITING) {
    throw new KeepsakeError('BUSY', 'Too many long texts are being read already.', {
      hint: 'Try again in a few seconds.',
    });
  }
  // Whoever leaves hands its place over.
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function leave(): void {
  const next = waiting.shift();
  if (next === undefined) running--;
  else next();
}

/** The items that the program yields, each asked for when the one before it is done with. */
export async function* itemsFromThread<Item>(work: ThreadWork): AsyncGenerator<Item, void, undefined> {
  await enter();
  const { source, compiled } = work.program;
  const entry = new URL(runsFromSource() ? source : compiled, packageRoot());
  // Flags of the parent, such as --input-type, are not meant for it and can keep it from starting.
  const worker = new Worker(entry, {
    ...{ workerData: work.input, execArgv: [], stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: work.limits.megabytes, maxYoungGenerationSizeMb: 32 },
  });
  try {
    let left = work.limits.milliseconds;
    for (;;) {
      const asked = performance.now();
      const { item, failure } = await nextAnswer<Item>(worker, left, work);
      left -= performance.now() - asked;
      if (failure !== undefined) {
        const { code, message, ...options } = failure;
        throw new KeepsakeError(code, message, options);
      }
      if (item === undefined) return;
      yield item;
    }
  } finally {
    await worker.terminate();
    leave();
  }
}

function nextAnswer<Item>(worker: Worker, left: number, work: ThreadWork): Promise<ThreadAnswer<Item>> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer<Item>>();
  const lost = (cause: unknown): void => reject(explain(cause, work));
  const ended = (): void => lost(new Error('The thread ended without an answer.'));
  const timer = setTimeout(() => reject(tooSlow(work)), Math.max(0, left));
  worker.once('message', resolve).once('error', lost).once('exit', ended);
  worker.postMessage('next');
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', lost).off('exit', ended);
  });
}

const SMALLER = 'Split it into smaller pieces; JSON is read with less time and memory than YAML.';

function explain(cause: unknown, { what, limits }: ThreadWork): KeepsakeError {
  if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const message = `${what} takes more than ${limits.megabytes} MB of memory to read.`;
    return new KeepsakeError('TOO_LARGE', message, { hint: SMALLER, cause });
  }
  return new KeepsakeError('INTERNAL', `${what} could not be read: its thread ended.`, { cause });
}

function tooSlow({ what, limits }: ThreadWork): KeepsakeError {
  const seconds = Math.round(limits.milliseconds / 1000);
  const message = `${what} takes longer than ${seconds} s to read, which no ordinary text of its size does.`;
  return new KeepsakeError('TOO_LARGE', message, { hint: SMALLER });
}
