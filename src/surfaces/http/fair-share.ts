/** Fair turns between keys: limits the work that one key has under way, and lets keys that used less go first. */

/** A search or a short memory; thirty-two of them at once still share one commit. */
const MOST_AT_ONCE = 32;
/** While other keys are active: about one long text, so that nobody waits for more than that. */
const MOST_BESIDE_OTHERS = 8;
/** Bytes of a body that count as much as one short request: long texts take time to judge, embed and index. */
const BYTES_PER_UNIT = 2 * 1024;
/** Of the largest body; one of unknown size counts as that. */
const LARGEST = 2_048;
/** A key counts as active for so long after its last request: the pauses of its agent are short. */
const ACTIVE_MS = 1_000;
/** Nobody waits any longer for the requests of keys that used less, so that work continues while those wait for a database. */
const PATIENCE_MS = 25;

interface Waiting {
  readonly cost: number;
  readonly since: number;
  readonly begin: () => void;
}

interface Share {
  /** Cost of what is under way. */
  used: number;
  /** Cost of everything it began, counted from what others had used when it became active. */
  spent: number;
  /** When its last request arrived, began or ended. */
  activeAt: number;
  /** When a request of it last ended. */
  endedAt: number;
  readonly waiting: Waiting[];
}

export class FairShare {
  readonly #most: number;
  readonly #mostBesideOthers: number;
  readonly #shares = new Map<string, Share>();
  /** What the key of the latest request had spent before it: a key that was unavailable does not get credit for that time. */
  #reached = 0;
  #sweptAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(most: number = MOST_AT_ONCE, mostBesideOthers: number = MOST_BESIDE_OTHERS) {
    this.#most = most;
    this.#mostBesideOthers = mostBesideOthers;
  }

  /** Waits for the turn of a request of this many bytes; resolves to what ends it. */
  async take(key: string, bytes: number): Promise<() => void> {
    const cost = Math.min(LARGEST, 1 + Math.floor(bytes / BYTES_PER_UNIT));
    const share = this.#shareOf(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    share.waiting.push({ cost, since: performance.now(), begin: resolve });
    this.#proceed();
    await promise;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      share.used -= this.#within(cost);
      share.endedAt = performance.now();
      share.activeAt = share.endedAt;
      this.#proceed();
    };
  }

  /** Requests that wait for their turn, of all keys. */
  waiting(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  #shareOf(key: string): Share {
    const now = performance.now();
    this.#sweep(now);
    const share = this.#shares.get(key) ?? { used: 0, spent: 0, activeAt: 0, endedAt: 0, waiting: [] };
    if (isIdle(share)) share.spent = Math.max(share.spent, this.#reached);
    share.activeAt = now;
    this.#shares.set(key, share);
    return share;
  }

  /** Begins whatever may begin, of the keys that used least first. */
  #proceed(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = performance.now();
    const shares = [...this.#shares.values()].filter(({ waiting }) => waiting.length > 0);
    let isYielding = false;
    for (const share of shares.sort((a, b) => a.spent - b.spent)) {
      for (let next = share.waiting[0]; next !== undefined; next = share.waiting[0]) {
        if (!this.#hasRoom(share, next, now)) break;
        const hasWaited = now - Math.max(next.since, share.endedAt) >= PATIENCE_MS;
        if (!hasWaited && this.#isOtherFirst(share)) {
          isYielding = true;
          break;
        }
        share.waiting.shift();
        this.#reached = share.spent;
        share.used += this.#within(next.cost);
        share.spent += next.cost;
        share.activeAt = now;
        next.begin();
      }
    }
    if (isYielding) this.#timer = setTimeout(() => this.#proceed(), PATIENCE_MS);
  }

  /** What is larger than the whole share is done alone. */
  #within(cost: number): number {
    return Math.min(this.#most, cost);
  }

  #hasRoom(share: Share, { cost }: Waiting, now: number): boolean {
    if (share.used === 0) return true;
    const hasCompany = this.#some(share, ({ activeAt }) => now - activeAt < ACTIVE_MS);
    return share.used + cost <= (hasCompany ? Math.min(this.#most, this.#mostBesideOthers) : this.#most);
  }

  /** Whether a key that used less has work under way. One that waits for room of its own has that too. */
  #isOtherFirst(share: Share): boolean {
    return this.#some(share, ({ used, spent }) => used > 0 && spent < share.spent);
  }

  #some(except: Share, test: (share: Share) => boolean): boolean {
    for (const share of this.#shares.values()) if (share !== except && test(share)) return true;
    return false;
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < ACTIVE_MS) return;
    this.#sweptAt = now;
    for (const [key, share] of this.#shares)
      if (isIdle(share) && now - share.activeAt >= ACTIVE_MS) this.#shares.delete(key);
  }
}

function isIdle({ used, waiting }: Share): boolean {
  return used === 0 && waiting.length === 0;
}

/** Bytes that a request announces; one that does not say counts as long. */
export function announcedBytes(method: string, header: (name: string) => string | undefined): number {
  if (method === 'GET' || method === 'DELETE') return 0;
  const length = Number(header('content-length') ?? Number.NaN);
  if (Number.isFinite(length)) return length;
  return header('transfer-encoding') === undefined ? 0 : Number.MAX_SAFE_INTEGER;
}
