/** Signs in the local user by a link: a one-time token becomes a session cookie. */
import { hash as digest, randomBytes } from 'node:crypto';
import { type Clock, HOUR, MINUTE } from '../../kernel/clock.ts';

const TOKEN_LIFE = 10 * MINUTE;
const SESSION_LIFE = 12 * HOUR;
/** More links or sessions than a person opens; the oldest give way. */
const MOST = 100;

const hash = (text: string): string => digest('sha256', text);

/** Kept in memory, as hashes: with the server they end. */
export class BrowserSessions {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A token for one visit. */
  issue(): string {
    return this.#make(this.#tokens, TOKEN_LIFE);
  }

  /** A session for a token, which is used up; undefined when it was used before, or is too old. */
  redeem(token: string): string | undefined {
    const key = hash(token);
    const isGood = this.#holds(this.#tokens, key);
    this.#tokens.delete(key);
    return isGood ? this.#make(this.#sessions, SESSION_LIFE) : undefined;
  }

  has(session: string): boolean {
    return this.#holds(this.#sessions, hash(session));
  }

  #holds(all: ReadonlyMap<string, number>, key: string): boolean {
    return (all.get(key) ?? 0) > this.#clock.now();
  }

  #make(all: Map<string, number>, life: number): string {
    const secret = randomBytes(32).toString('base64url');
    all.set(hash(secret), this.#clock.now() + life);
    const [oldest] = all.keys();
    if (all.size > MOST && oldest !== undefined) all.delete(oldest);
    return secret;
  }
}
