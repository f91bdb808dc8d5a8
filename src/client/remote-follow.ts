/** Reads a finite stream of a server, and continues at the same position after a connection failure. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { errorOf, headersFor, type RemoteOptions, unreachable } from './remote-call.ts';
import { readFrames } from './remote-events.ts';

const FIRST_PAUSE_MS = 100;
/** Then whoever follows is told; it can continue from the last entry that it saw. */
const MOST_FAILURES = 5;

export interface Followed {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
}

/** Each entry has the number after which the stream continues; an entry that is null is the end. */
export async function* followRemote<T>(options: RemoteOptions, followed: Followed): AsyncGenerator<T> {
  const { path, query, caller, signal } = followed;
  let { after = '0' } = query;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      for await (const { id, data } of await open(options, path, { ...query, after }, caller, signal)) {
        failures = 0;
        if (id !== undefined) after = id;
        if (data === 'null') return;
        if (data !== undefined) yield JSON.parse(data) as T;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (KeepsakeError.is(error) && !error.retryable) throw error;
      if (++failures === MOST_FAILURES) throw unreachable(options.url, error);
    }
    await pause(FIRST_PAUSE_MS * 2 ** failures, undefined, {
      ...defined({ signal }),
    }).catch(() => {});
  }
}

async function open(
  options: RemoteOptions,
  path: string,
  query: Readonly<Record<string, string>>,
  caller: Caller,
  signal: AbortSignal | undefined,
) {
  const response = await fetch(`${options.url}${path}?${new URLSearchParams(query)}`, {
    headers: { ...headersFor(options, caller), accept: 'text/event-stream' },
    ...defined({ signal }),
  }).catch((cause: unknown) => {
    throw unreachable(options.url, cause);
  });
  if (!response.ok || response.body === null) throw await errorOf(response, options.url);
  return readFrames(response.body);
}
