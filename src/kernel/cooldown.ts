/** A cooldown for unavailable models, so that not every search waits for a timeout. */
import type { Clock } from './clock.ts';
import { type ErrorCode, KeepsakeError } from './errors.ts';

/** Other failures show at once, and may be over with the next call. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['TIMEOUT', 'UNAVAILABLE', 'BUSY']);

export class Cooldown {
  readonly #clock: Clock;
  readonly #pauseMs: number;
  #since: number | undefined;

  constructor(clock: Clock, pauseMs: number) {
    this.#clock = clock;
    this.#pauseMs = pauseMs;
  }

  get isOn(): boolean {
    if (this.#since === undefined) return false;
    const passed = this.#clock.now() - this.#since;
    // A clock that was set back must not make it last forever.
    return passed >= 0 && passed < this.#pauseMs;
  }

  begin(): void {
    this.#since = this.#clock.now();
  }

  /** After a failure; only one that means that nobody answers begins it. */
  beginAfter(error: unknown): void {
    if (KeepsakeError.is(error) && AWAY.has(error.code)) this.begin();
  }

  end(): void {
    this.#since = undefined;
  }
}
