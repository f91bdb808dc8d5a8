/** Ctrl-C stops a running agent and keeps its messages; a second one exits immediately. */
import { ERROR_TABLE } from '../../../../kernel/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The usual answer to these signals closes the workspace and ends the process, and comes back afterwards. `onSignal` is
 * told how many there were before; without it the first one aborts and the second one leaves.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onSignal?: (before: number, stop: () => void) => void,
): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let before = 0;
  const listener = (): void => {
    if (onSignal !== undefined) onSignal(before, stop);
    else if (before === 0) stop();
    else process.exit(ERROR_TABLE.ABORTED.exit);
    before++;
  };
  const usual = SIGNALS.map((name) => ({ name, listeners: process.listeners(name) }));
  for (const { name } of usual) process.removeAllListeners(name).on(name, listener);
  try {
    return await work(stopping.signal);
  } finally {
    for (const { name, listeners } of usual) {
      process.removeListener(name, listener);
      for (const each of listeners) process.on(name, each);
    }
  }
}
