/** Decides when a process has asked so often that an index in memory is worth its reading, and when to try again after a failure. */

/** A process that asks once and ends, as the command line does, never pays for an index in memory. */
const CALLS_BEFORE = 16;
const AGE_BEFORE_MS = 1_000;
/** After it did not agree with the engine, it waits so many times longer. */
const PATIENCE = 16;

/** What to do after an index was given up. */
export type Afterwards = Exclude<keyof Readiness, 'isDue'>;

export class Readiness {
  readonly #isEager: boolean;
  readonly #opened = performance.now();
  #calls = 0;
  #callsBefore = CALLS_BEFORE;

  /** Eager: with the first call. */
  constructor(isEager: boolean) {
    this.#isEager = isEager;
  }

  /** To be asked once per call that has to be answered without the index; whether to build it now. */
  isDue(): boolean {
    this.#calls++;
    if (this.#calls >= this.#callsBefore) return true;
    const isFirst = this.#callsBefore === CALLS_BEFORE;
    return isFirst && (this.#isEager || performance.now() - this.#opened >= AGE_BEFORE_MS);
  }

  /** After the index was given up for an ordinary reason. */
  beginAgain(): void {
    this.#wait(CALLS_BEFORE);
  }

  /** After an error: as long as the last time. */
  tryAgain(): void {
    this.#wait(this.#callsBefore);
  }

  /** After it was wrong. */
  backOff(): void {
    this.#wait(this.#callsBefore * PATIENCE);
  }

  /** After it turned out to be too large. */
  never(): void {
    this.#wait(Number.POSITIVE_INFINITY);
  }

  #wait(calls: number): void {
    this.#calls = 0;
    this.#callsBefore = calls;
  }
}
