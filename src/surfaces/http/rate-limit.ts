/** Rate limits: a token bucket per key. */
import type { Engine } from '../../client/index.ts';
import type { Clock } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';

interface Bucket {
  /** Requests that may still be made at once. */
  left: number;
  at: number;
}

type SharedLimits = Engine['storage']['limits'];

const SECOND = 1000;
/** Nobody waits any longer for the count of all servers; this one then counts by itself, */
const PATIENCE_MS = 100;
/** and tries again after this time. */
const ALONE_MS = SECOND;
/** A bucket that is full again tells nothing; beyond this many, those go. */
const MOST_BUCKETS = 10_000;

export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #most: number;
  readonly #shared: SharedLimits;
  readonly #buckets = new Map<string, Bucket>();
  #aloneUntil = 0;

  /** `shared`: where all servers count together. */
  constructor(clock: Clock, perSecond: number, shared?: SharedLimits) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#most = perSecond * 2;
    this.#shared = shared;
  }

  /** Takes one request of a key, or refuses it with the time to wait. */
  async take(key: string, { isShared = true }: { readonly isShared?: boolean } = {}): Promise<void> {
    const wait = (isShared ? await this.#takeFromAll(key) : undefined) ?? this.#takeHere(key);
    if (wait > 0) throw this.#refusal(wait / SECOND);
  }

  /** Milliseconds to wait; undefined when nobody can tell. */
  async #takeFromAll(key: string): Promise<number | undefined> {
    if (this.#shared === undefined || this.#clock.now() < this.#aloneUntil) return undefined;
    const taking = this.#shared.take({ key, perSecond: this.#perSecond, most: this.#most });
    const wait = await inTime(taking).catch(() => undefined);
    if (wait === undefined) this.#aloneUntil = this.#clock.now() + ALONE_MS;
    return wait;
  }

  #takeHere(key: string): number {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(key) ?? this.#begin(key, now);
    const passed = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.#most, bucket.left + (passed / SECOND) * this.#perSecond);
    bucket.at = now;
    if (bucket.left < 1) return ((1 - bucket.left) / this.#perSecond) * SECOND;
    bucket.left -= 1;
    return 0;
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

/** Undefined when it takes too long. */
async function inTime(taking: Promise<number>): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    // Where this process was busy itself, the answer may lie there unread: it is read before an immediate has its turn.
    timer = setTimeout(() => setImmediate(resolve, undefined), PATIENCE_MS);
  });
  return Promise.race([taking, late]).finally(() => clearTimeout(timer));
}
