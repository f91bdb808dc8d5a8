/** A client's connection to a server, in place of the embedded engine. */

import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { EventHub, type EventListener, type KeepsakeEvent } from '../kernel/events.ts';
import type { EventQuery } from '../ports/event-store.ts';
import type { Call } from './call.ts';
import { checkUrl, type RemoteOptions, remoteCall, remoteRead } from './remote-call.ts';
import { type Listening, listen } from './remote-events.ts';
import { followRemote } from './remote-follow.ts';

export class RemoteConnection {
  readonly #options: RemoteOptions;
  readonly #onError: (error: unknown) => void;
  readonly #hub: EventHub;
  #listening: Listening | undefined;
  #listeners = 0;

  constructor({ url, apiKey }: RemoteOptions, onError: (error: unknown) => void = () => {}) {
    this.#options = { url: checkUrl(url), apiKey };
    this.#onError = onError;
    this.#hub = new EventHub(onError);
  }

  /** Without an agent, the call is made as whoever the key belongs to. */
  callAs(caller: Caller): Call {
    const call = remoteCall(this.#options, caller);
    return async (operation, input, options) => {
      // Whoever subscribed before hears of what he does now.
      await this.#listening?.ready;
      return call(operation, input, options);
    };
  }

  /** Hears what the key may hear, of all processes, as long as there is a listener. */
  subscribe(listener: EventListener): () => void {
    const leave = this.#hub.subscribe(listener);
    this.#listeners++;
    this.#listening ??= listen(
      this.#options,
      (event) => this.#hub.publish([event]),
      (error) => this.#onError(error),
    );
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      leave();
      if (--this.#listeners === 0) this.close();
    };
  }

  read({ after = 0, limit = 100, agent, types }: Partial<EventQuery>): Promise<readonly KeepsakeEvent[]> {
    return remoteRead(this.#options, '/v1/events/read', {
      ...{ after: String(after), limit: String(limit) },
      ...defined({ agent }),
      ...(types === undefined ? {} : { types: types.join(',') }),
    });
  }

  /** A stream of the server that has an end, such as the messages of a run. */
  follow<T>(
    path: string,
    query: Readonly<Record<string, string>>,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T> {
    return followRemote<T>(this.#options, { path, query, caller, signal });
  }

  close(): void {
    this.#listening?.stop();
    this.#listening = undefined;
  }

  /** For what works on files: conversations, runs, the engine itself. */
  refuse(): KeepsakeError {
    return new KeepsakeError(
      'UNSUPPORTED',
      `This operation works on local files and is not available through the server ${this.#options.url}.`,
      {
        hint: 'Use createClient({ workspace }) on the machine of the workspace. Through a server you can use memory, log, sections, knowledge, swarms and events.',
      },
    );
  }
}
