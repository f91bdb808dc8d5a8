/** Wakes waiters when a topic changes: by notification, or by polling while there is no connection. */
import type { Listener } from './listener.ts';

/** While there is no connection to hear news through; else nothing is missed for longer than this. */
const LOOK_MS = 500;

export class ChangeSignal {
  readonly #listener: Listener;
  readonly #topic: string;

  constructor(listener: Listener, topic: string) {
    this.#listener = listener;
    this.#topic = topic;
  }

  /** From now on: what happens between two waits is not missed. `stop` ends it. */
  follow(signal: AbortSignal | undefined): { next(): Promise<void>; stop(): void } {
    let hasNews = false;
    let wake: (() => void) | undefined;
    const beat = (): void => {
      hasNews = true;
      wake?.();
    };
    const unsubscribe = this.#listener.listen(this.#topic, beat);
    signal?.addEventListener('abort', beat, { once: true });
    return {
      next: async () => {
        if (!hasNews) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, LOOK_MS);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
          wake = undefined;
        }
        hasNews = false;
      },
      stop: () => {
        unsubscribe();
        signal?.removeEventListener('abort', beat);
        wake?.();
      },
    };
  }
}
