/** How much work one key may have under way: a caller who sends long texts on many connections waits for itself, not others for it. */

/** A search or a short memory; thirty-two of them at once still share one commit. */
const MOST_AT_ONCE = 32;
/** Bytes of a body that count as much as one short request: long texts take time to judge, embed and index. */
const BYTES_PER_UNIT = 8 * 1024;

interface Share {
  /** Cost of what is under way. */
  used: number;
  readonly waiting: { readonly cost: number; readonly begin: () => void }[];
}

export class FairShare {
  readonly #most: number;
  readonly #shares = new Map<string, Share>();

  constructor(most: number = MOST_AT_ONCE) {
    this.#most = most;
  }

  /** Waits until the key has room for a request of this many bytes; resolves to what gives the room back. */
  async take(key: string, bytes: number): Promise<() => void> {
    // What is larger than the whole share is done alone.
    const cost = Math.min(this.#most, 1 + Math.floor(bytes / BYTES_PER_UNIT));
    const share = this.#shares.get(key) ?? { used: 0, waiting: [] };
    this.#shares.set(key, share);
    if (share.waiting.length > 0 || share.used + cost > this.#most) {
      const { promise, resolve } = Promise.withResolvers<void>();
      share.waiting.push({ cost, begin: resolve });
      await promise;
    } else share.used += cost;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(key, share, cost);
    };
  }

  /** Requests that wait for their turn, of all keys. */
  waiting(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  #release(key: string, share: Share, cost: number): void {
    share.used -= cost;
    for (let next = share.waiting[0]; next !== undefined; next = share.waiting[0]) {
      if (share.used + next.cost > this.#most) return;
      share.used += next.cost;
      share.waiting.shift();
      next.begin();
    }
    if (share.used === 0) this.#shares.delete(key);
  }
}

/** Bytes that a request announces; one that does not say counts as long. */
export function announcedBytes(method: string, header: (name: string) => string | undefined): number {
  if (method === 'GET' || method === 'DELETE') return 0;
  const length = Number(header('content-length') ?? Number.NaN);
  if (Number.isFinite(length)) return length;
  return header('transfer-encoding') === undefined ? 0 : Number.MAX_SAFE_INTEGER;
}
