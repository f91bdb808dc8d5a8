/** Waits until work is done or a signal is aborted, for work that does not support signals itself. */

export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
