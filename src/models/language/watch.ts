/** Ends a model call when the caller aborts it or the model sends nothing for too long. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransformStream } from 'node:stream/web';
import { KeepsakeError } from '../../kernel/errors.ts';

export function abortedError(cause?: unknown): KeepsakeError {
  return new KeepsakeError('ABORTED', 'The answer of the model was stopped before it finished.', { cause });
}

export class Watch {
  readonly #controller = new AbortController();
  readonly #id: string;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: string, timeoutMs: number, caller: AbortSignal | undefined) {
    this.#id = id;
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
  }

  /** For the provider; aborted as soon as nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A sign of life: the silence is counted from here. */
  heard(): void {
    this.#timer?.refresh();
  }

  /** Waits for the provider, and for no longer than the watch lasts, also when the provider ignores its signal. */
  async wait<T>(step: PromiseLike<T>): Promise<T> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const stop = (error: KeepsakeError): void => {
      reject(error);
      this.end();
    };
    const onAbort = (): void => stop(abortedError(this.#caller?.reason));
    this.#caller?.addEventListener('abort', onAbort, { once: true });
    this.#timer = setTimeout(() => stop(this.#silent()), this.#timeoutMs);
    try {
      if (this.#caller?.aborted) onAbort();
      return await Promise.race([ended, step]);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#caller?.removeEventListener('abort', onAbort);
    }
  }

  /** Lets go of the connection; harmless when the answer is complete. */
  end(): void {
    this.#controller.abort();
  }

  #silent(): KeepsakeError {
    const seconds = this.#timeoutMs / 1000;
    return new KeepsakeError('TIMEOUT', `The model ${this.#id} was silent for ${seconds} seconds.`, {
      hint: 'Try again, or allow it more time with models.timeoutMs.',
      details: { model: this.#id },
    });
  }
}

const current = new AsyncLocalStorage<Watch>();

/** Runs the call of a provider so that `watchedFetch` knows whose bytes it sees. */
export function watchedBy<T>(watch: Watch, call: () => T): T {
  return current.run(watch, call);
}

/**
 * `fetch` for providers. Every byte counts as a sign of life, also the comments by which servers keep a connection
 * open and of which a provider says nothing. Redirects are refused: prompt and key are meant for one address.
 */
export async function watchedFetch(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<Response> {
  const watch = current.getStore();
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (watch === undefined || response.body === null) return response;
  watch.heard();
  const listening = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      watch.heard();
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(listening), { status, statusText, headers });
}
