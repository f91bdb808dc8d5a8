/** Ends a review when it is aborted or times out, even if the model does not react. */
import { KeepsakeError } from '../kernel/errors.ts';

/** A model that does not listen to the signal is left behind. */
export async function abortable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  refuseAborted(signal);
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, fail) => {
    stop = () => fail(stopError(signal));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw stopError(signal);
}

function stopError({ reason }: AbortSignal): KeepsakeError {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError';
  return new KeepsakeError(
    isLate ? 'TIMEOUT' : 'ABORTED',
    isLate ? 'The model took too long to review the session.' : 'The review of the session was stopped.',
    { hint: 'Nothing is lost: review it again.', cause: reason },
  );
}
