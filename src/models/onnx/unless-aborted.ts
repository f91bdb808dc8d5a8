/** Lets a call to a worker thread be stopped. */
import { KeepsakeError } from '../../kernel/errors.ts';

function aborted(cause: unknown): KeepsakeError {
  return new KeepsakeError('ABORTED', 'Embedding was stopped before it finished.', { cause });
}

/** Settles with the call, or when it is stopped; the thread then finishes its batch for nobody. */
export async function unlessAborted<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return call();
  if (signal.aborted) throw aborted(signal.reason);
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(aborted(signal.reason));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([call(), promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
