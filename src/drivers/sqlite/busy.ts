/** Retries a locked database without blocking the event loop, until the timeout. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 25;

/** The pause grows with each attempt and is drawn by lot, so that waiting processes do not march in step. */
export async function whileBusy<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    const ceiling = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(tries, 10));
    await sleep(SHORTEST_PAUSE_MS + (crypto.getRandomValues(new Uint8Array(1))[0]! / 255) * ceiling);
  }
}
