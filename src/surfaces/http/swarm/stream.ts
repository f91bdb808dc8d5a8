/** Server-sent events of a finite stream: entries, heartbeats, and `null` at the end. */

const HEARTBEAT_MS = 15_000;
/** How soon a listener is sent away whose key was revoked, or whose server ends. */
const LOOK_MS = 500;

export interface StreamOptions<T> {
  readonly source: (signal: AbortSignal) => AsyncIterable<T>;
  /** The number after which a listener continues. */
  readonly numberOf: (entry: T) => number;
  /** Asked before anything is sent: a key may be revoked while its holder listens. */
  readonly isAllowed: () => boolean;
}

async function* frames<T>(options: StreamOptions<T>, signal: AbortSignal): AsyncGenerator<string> {
  const { source, numberOf, isAllowed } = options;
  const entries = source(signal)[Symbol.asyncIterator]();
  // So that the listener knows that it is heard.
  yield ': \n\n';
  let next = heard(entries.next());
  for (let silence = 0; !signal.aborted; ) {
    const came = await soon(next);
    if (!isAllowed()) return;
    if (came === undefined) {
      silence += LOOK_MS;
      if (silence % HEARTBEAT_MS === 0) yield ': \n\n';
      continue;
    }
    if (came.done) {
      yield 'data: null\n\n';
      return;
    }
    yield `id: ${numberOf(came.value)}\ndata: ${JSON.stringify(came.value)}\n\n`;
    next = heard(entries.next());
  }
}

/** Nobody waits for it any more when the listener has gone; that it fails then is nobody's concern. */
function heard<T>(next: Promise<T>): Promise<T> {
  next.catch(() => {});
  return next;
}

/** What comes within a moment; undefined when nothing does. */
async function soon<T>(next: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOK_MS);
  });
  try {
    return await Promise.race([next, nothing]);
  } finally {
    clearTimeout(timer);
  }
}

/** Written only as fast as the listener reads. */
export function endingStream<T>(options: StreamOptions<T>): Response {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  const source = frames(options, gone.signal);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel() {
      gone.abort();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  });
}
