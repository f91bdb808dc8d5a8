/** Subscribes to the events of a server, and continues at the same position after a connection failure. */

import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { KeepsakeEvent } from '../kernel/events.ts';
import { errorOf, headersFor, type RemoteOptions, unreachable } from './remote-call.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export interface Listening {
  /** Settles when the server counts from here on, or has refused. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** Takes the fields of server-sent events out of text that arrives in pieces. */
export async function* readFrames(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ id?: string; data?: string }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const frame: { id?: string; data?: string } = {};
      for (const line of rest.slice(0, end).split('\n')) {
        const [, field, value = ''] = /^(id|data): ?(.*)$/.exec(line) ?? [];
        if (field === 'id') frame.id = value;
        else if (field === 'data') frame.data = value;
      }
      rest = rest.slice(end + 2);
      yield frame;
    }
  }
}

export function listen(
  options: RemoteOptions,
  onEvent: (event: KeepsakeEvent) => void,
  onRefusal: (error: unknown) => void,
): Listening {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ready = Promise.withResolvers<void>();
  let last: string | undefined;

  const connect = async (): Promise<void> => {
    const response = await fetch(`${options.url}/v1/events`, {
      headers: {
        ...headersFor(options),
        accept: 'text/event-stream',
        ...defined({ 'last-event-id': last }),
      },
      signal,
    }).catch((cause: unknown) => {
      throw unreachable(options.url, cause);
    });
    if (!response.ok || response.body === null) throw await errorOf(response, options.url);
    for await (const { id, data } of readFrames(response.body)) {
      if (signal.aborted) return;
      if (data !== undefined) onEvent(JSON.parse(data) as KeepsakeEvent);
      // After the listener: an event that nobody heard of is sent again.
      if (id !== undefined) last = id;
      ready.resolve();
    }
  };

  const keepConnected = async (): Promise<void> => {
    let wait = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const before = last;
      try {
        await connect();
      } catch (error) {
        ready.resolve();
        // A refusal will not change by asking again.
        if (!signal.aborted && KeepsakeError.is(error) && !error.retryable) return onRefusal(error);
      }
      wait = last === before ? Math.min(2 * wait, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
      await pause(wait, undefined, { signal }).catch(() => {});
    }
  };

  keepConnected().catch((error: unknown) => onRefusal(toKeepsakeError(error)));
  return {
    ready: ready.promise,
    stop: () => {
      stopping.abort();
      ready.resolve();
    },
  };
}
