/** A model that is away is left alone for a while: else every search would wait for it anew. */
import type { Clock } from '../kernel/clock.ts';
import { type ErrorCode, KeepsakeError } from '../kernel/errors.ts';

const PAUSE_MS = 20_000;
/** Other failures show at once, and may be over with the next call. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['TIMEOUT', 'UNAVAILABLE', 'BUSY']);

export class Respite {
  readonly #clock: Clock;
  #since: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOn(): boolean {
    if (this.#since === undefined) return false;
    const passed = this.#clock.now() - this.#since;
    // A clock that was set back must not make it last for ever.
    return passed >= 0 && passed < PAUSE_MS;
  }

  /** After a failure; only one that means that nobody answers begins it. */
  beginAfter(error: unknown): void {
    if (KeepsakeError.is(error) && AWAY.has(error.code)) this.#since = this.#clock.now();
  }

  end(): void {
    this.#since = undefined;
  }
}
