/** FileLock with SQLite's file locking: `.<name>.lock` beside the document, first come first served within the process. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { basename, dirname, join, resolve } from 'node:path';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { FileLock, HoldOptions } from '../../ports/file-lock.ts';
import { LockFile } from './lock-file.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Each open lock file costs one file descriptor. */
const MOST_OPEN_FILES = 32;
/** A failed attempt costs about 15 µs, so a waiter may ask often. */
const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 4;
/** How long a process stays away after it saw that others wait: long enough for each of them to ask once. */
const COURTESY_MS = 1.5 * LONGEST_PAUSE_MS;

export interface FileLockOptions {
  /** For calls that give none themselves; 10 seconds if absent. */
  readonly timeoutMs?: number;
}

export function sqliteFileLock(options: FileLockOptions = {}): FileLock {
  return new SqliteFileLock(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
}

/** Everything about one lock file: the lock itself, and who in this process waits for it. */
interface Gate {
  readonly file: string;
  readonly lock: LockFile;
  readonly queue: (() => void)[];
  taken: boolean;
  /** Before this moment other processes go first. */
  courtesyUntil: number;
}

/** What one asynchronous task holds; `outer` is what it held before. */
interface Held {
  readonly file: string;
  readonly outer: Held | undefined;
  active: boolean;
}

const held = new AsyncLocalStorage<Held>();

class SqliteFileLock implements FileLock {
  readonly #timeoutMs: number;
  /** In order of last use: the first idle one is the one to close. */
  readonly #gates = new Map<string, Gate>();
  readonly #closing = new AbortController();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  async hold<T>(path: string, work: () => Promise<T>, options: HoldOptions = {}): Promise<T> {
    const file = lockFileOf(path);
    refuseReentry(path, file);
    const patience = new Patience(
      path,
      options.timeoutMs ?? this.#timeoutMs,
      options.signal,
      this.#closing.signal,
    );
    try {
      const gate = this.#gateOf(file);
      await this.#takeTurn(gate, patience);
      try {
        await acquire(gate, patience);
        patience.end();
        return await holding(gate, work);
      } finally {
        this.#passTurn(gate);
      }
    } finally {
      patience.end();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const gate of this.#gates.values()) this.#closeIfIdle(gate);
  }

  #gateOf(file: string): Gate {
    const gate = this.#gates.get(file) ?? {
      file,
      lock: new LockFile(file),
      queue: [],
      taken: false,
      courtesyUntil: 0,
    };
    this.#gates.delete(file);
    this.#gates.set(file, gate);
    return gate;
  }

  /** Waits until those who came before within this process are done. */
  async #takeTurn(gate: Gate, patience: Patience): Promise<void> {
    patience.check();
    if (!gate.taken) {
      gate.taken = true;
      return;
    }
    const called = Promise.withResolvers<void>();
    gate.queue.push(called.resolve);
    try {
      await patience.until(called.promise);
    } catch (error) {
      const place = gate.queue.indexOf(called.resolve);
      // Called in the very moment in which it gave up: the turn is ours and must go on to the next.
      if (place === -1) this.#passTurn(gate);
      else gate.queue.splice(place, 1);
      throw error;
    }
  }

  #passTurn(gate: Gate): void {
    const next = gate.queue.shift();
    if (next !== undefined) {
      next();
      return;
    }
    gate.taken = false;
    if (this.#closing.signal.aborted) this.#closeIfIdle(gate);
    for (const other of this.#gates.values()) {
      if (this.#gates.size <= MOST_OPEN_FILES) break;
      this.#closeIfIdle(other);
    }
  }

  #closeIfIdle(gate: Gate): void {
    if (gate.taken) return;
    gate.lock.close();
    this.#gates.delete(gate.file);
  }
}

/** How long one caller is willing to wait: until its time is up, its signal fires, or the lock is closed. */
class Patience {
  readonly #ended = Promise.withResolvers<never>();
  readonly #deadline: number;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #closing: AbortSignal;
  readonly #path: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, timeoutMs: number, signal: AbortSignal | undefined, closing: AbortSignal) {
    this.#path = path;
    this.#timeoutMs = timeoutMs;
    this.#deadline = performance.now() + timeoutMs;
    this.#signal = signal;
    this.#closing = closing;
    this.#ended.promise.catch(() => {});
  }

  check(): void {
    if (this.#closing.aborted) throw this.#closed();
    if (this.#signal?.aborted) throw this.#aborted();
  }

  until<T>(event: Promise<T>): Promise<T> {
    this.#listen();
    return Promise.race([event, this.#ended.promise]);
  }

  async pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    const slept = Promise.withResolvers<void>();
    const timer = setTimeout(slept.resolve, milliseconds);
    try {
      await this.until(slept.promise);
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#closing.removeEventListener('abort', this.#onClose);
  }

  /** Only who really waits: a lock that is free is taken without timers and listeners. */
  #listen(): void {
    if (this.#timer !== undefined) return;
    this.check();
    const left = Math.max(0, this.#deadline - performance.now());
    this.#timer = setTimeout(() => this.#ended.reject(this.#busy(this.#timeoutMs)), left);
    this.#signal?.addEventListener('abort', this.#onAbort);
    this.#closing.addEventListener('abort', this.#onClose);
  }

  readonly #onAbort = (): void => this.#ended.reject(this.#aborted());
  readonly #onClose = (): void => this.#ended.reject(this.#closed());

  #busy(timeoutMs: number): KeepsakeError {
    return new KeepsakeError(
      'BUSY',
      `${this.#path} is in use: it could not be locked within ${timeoutMs} ms.`,
      {
        hint: 'Another task or process is writing it. Try again, or look for a process that hangs.',
        details: { path: this.#path, timeoutMs },
      },
    );
  }

  #aborted(): KeepsakeError {
    return new KeepsakeError('ABORTED', `Waiting for the lock of ${this.#path} was aborted.`, {
      cause: this.#signal?.reason,
    });
  }

  #closed(): KeepsakeError {
    return new KeepsakeError('CLOSED', `${this.#path} cannot be locked: the file lock is closed.`, {
      hint: 'Open a new client; a closed one stays closed.',
    });
  }
}

/** Competes with other processes by asking again and again, with pauses drawn by lot so that they do not march in step. */
async function acquire(gate: Gate, patience: Patience): Promise<void> {
  await patience.pause(gate.courtesyUntil - performance.now());
  for (let tries = 0; !gate.lock.tryAcquire(); tries++) {
    const ceiling = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** tries);
    await patience.pause(ceiling * (0.5 + Math.random() / 2));
  }
}

async function holding<T>(gate: Gate, work: () => Promise<T>): Promise<T> {
  const mine: Held = { file: gate.file, outer: held.getStore(), active: true };
  try {
    return await held.run(mine, work);
  } finally {
    // Work may leave tasks behind that live on in this context; they hold nothing any more.
    mine.active = false;
    if (gate.lock.release().wanted) gate.courtesyUntil = performance.now() + COURTESY_MS;
  }
}

function refuseReentry(path: string, file: string): void {
  for (let mine = held.getStore(); mine !== undefined; mine = mine.outer) {
    if (!mine.active || mine.file !== file) continue;
    throw new KeepsakeError(
      'INTERNAL',
      `${path} is already locked by this very task, which would wait for itself.`,
      {
        hint: 'Do not read-modify-write a file inside a function that is already updating it.',
      },
    );
  }
}

/** Hidden, and beside the document, so that every process that can write the one can lock the other. */
function lockFileOf(path: string): string {
  const absolute = resolve(path);
  return join(dirname(absolute), `.${basename(absolute)}.lock`);
}
