/** Wakes whoever waits for news: at once for those of this process, soon for those of another one. */

/** How late the news of another process may be, in milliseconds. A look costs some microseconds. */
const POLL_MS = 25;

export class ChangeSignal {
  readonly #waiting = new Set<() => void>();

  /** Something was written here. */
  beat(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when it is worth looking again. */
  next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, POLL_MS);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }
}
