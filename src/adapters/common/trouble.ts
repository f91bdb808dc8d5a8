/** Isolates the program from memory failures: a deadline for reads, one report per failure, retries for writes. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { TroubleOptions } from './options.ts';

const TIMEOUT_MS = 2_000;
/** Writes that wait for memory to work again; older ones are dropped, because a process must not grow without bound. */
const MOST_WAITING = 1_000;

type Work = () => Promise<unknown>;

export class Trouble {
  readonly #options: TroubleOptions;
  readonly #what: string;
  #isReported = false;
  #waiting: Work[] = [];
  #writing: Promise<void> = Promise.resolve();

  /** @param what the adapter, as a warning names it: "keepsake/ai-sdk". */
  constructor(what: string, options: TroubleOptions) {
    this.#what = what;
    this.#options = options;
  }

  /** Reads within the deadline. When memory fails or is late: undefined, or with `strict` the error. */
  async read<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const { strict = false, timeoutMs = TIMEOUT_MS } = this.#options;
    const deadline = new AbortController();
    try {
      const result = await within(timeoutMs, work(deadline.signal), () => deadline.abort());
      this.#isReported = false;
      return result;
    } catch (error) {
      if (strict) throw error;
      this.#report(error);
      return undefined;
    }
  }

  /** Does what takes as long as it takes, such as a summary by a model. When it fails: undefined, or with `strict` the error. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (this.#options.strict === true) throw error;
      this.#report(error);
      return undefined;
    }
  }

  /**
   * Writes after everything written before. When memory fails, the write is kept and tried again before the next one; when it
   * is late, the caller continues and the write continues. With `strict` the caller waits, and the error is thrown.
   */
  async write(work: Work): Promise<void> {
    const { strict = false, timeoutMs = TIMEOUT_MS } = this.#options;
    const result = this.#writing.then(async () => {
      if (strict) {
        await work();
        return;
      }
      this.#waiting.push(work);
      if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
      await this.#catchUp();
    });
    this.#writing = result.catch(() => {});
    if (strict) return result;
    await within(timeoutMs, result).catch((error: unknown) => this.#report(error));
  }

  /** Resolves once everything written so far is stored; what memory refuses stays waiting. */
  async settled(): Promise<{ readonly waiting: number }> {
    await this.#writing;
    if (this.#waiting.length > 0) {
      this.#writing = this.#writing.then(() => this.#catchUp());
      await this.#writing;
    }
    return { waiting: this.#waiting.length };
  }

  async #catchUp(): Promise<void> {
    while (this.#waiting[0] !== undefined) {
      try {
        await this.#waiting[0]();
        this.#isReported = false;
      } catch (error) {
        this.#report(error);
        // What can never succeed must not hold up what can.
        if (isFinal(error)) this.#waiting.shift();
        else return;
        continue;
      }
      this.#waiting.shift();
    }
  }

  #report(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const { onTrouble } = this.#options;
    if (onTrouble !== undefined) {
      try {
        onTrouble(error);
      } catch {
        // A reporter that fails must not break the call that memory was kept away from.
      }
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(`${this.#what} continues without memory: ${reason}`, {
      type: 'KeepsakeWarning',
      code: error instanceof KeepsakeError ? error.code : 'INTERNAL',
      ...(error instanceof KeepsakeError && error.hint !== undefined ? { detail: error.hint } : {}),
    });
  }
}

async function within<T>(timeoutMs: number, work: Promise<T>, onLate?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new KeepsakeError('TIMEOUT', `Memory did not answer within ${timeoutMs} ms.`));
      onLate?.();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const FINAL: readonly string[] = [
  'INVALID_INPUT',
  'INVALID_NAME',
  'BLOCKED',
  'TOO_LARGE',
  'FORBIDDEN',
  'READ_ONLY',
  'UNSUPPORTED',
];

/** Whether another try would fail in the same way. */
function isFinal(error: unknown): boolean {
  return error instanceof KeepsakeError && FINAL.includes(error.code);
}
