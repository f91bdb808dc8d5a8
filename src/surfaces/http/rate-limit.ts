/** How much one key may ask for: a bucket per key that fills steadily and is empty for whoever asks too much. */
import type { Clock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

interface Bucket {
  /** Requests that may still be made at once. */
  left: number;
  at: number;
}

const SECOND = 1000;
/** A bucket that is full again tells nothing; beyond this many, those go. */
const MOST_BUCKETS = 10_000;

export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #most: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#most = perSecond * 2;
  }

  /** Takes one request of a key, or refuses it with the time to wait. */
  take(key: string): void {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? this.#begin(key, now);
    const passed = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.#most, bucket.left + (passed / SECOND) * this.#perSecond);
    bucket.at = now;
    if (bucket.left < 1) throw this.#refusal((1 - bucket.left) / this.#perSecond);
    bucket.left -= 1;
  }

  #begin(key: string, now: number): Bucket {
    if (this.#buckets.size >= MOST_BUCKETS) {
      for (const [name, { at }] of this.#buckets) if (now - at > 2 * SECOND) this.#buckets.delete(name);
    }
    const bucket = { left: this.#most, at: now };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #refusal(seconds: number): KeepsakeError {
    return new KeepsakeError(
      'RATE_LIMITED',
      `This key may make ${this.#perSecond} requests per second; it made more.`,
      {
        hint: 'Wait as long as Retry-After says; server.requestsPerSecond in keepsake.jsonc sets another number.',
        details: { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) },
      },
    );
  }
}
