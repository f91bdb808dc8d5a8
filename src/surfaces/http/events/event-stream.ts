/** Server-sent events: replay from where a listener left off, then live, with a sign of life when nothing happens. */
import type { KeepsakeEvent } from '../../../kernel/events.ts';
import type { EventFeed } from './event-feed.ts';

const HEARTBEAT_MS = 15_000;

export interface StreamOptions {
  readonly feed: EventFeed;
  readonly after: number;
  readonly matches: (event: KeepsakeEvent) => boolean;
  /** What the listener gets of an event. Default: all of it. */
  readonly shown?: (event: KeepsakeEvent) => KeepsakeEvent;
  /** Asked before anything is sent: a key may be revoked while its holder listens. */
  readonly isAllowed?: () => boolean;
  readonly heartbeatMs?: number;
}

const frame = (event: KeepsakeEvent): string => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
/** Moves the listener's Last-Event-ID without an event, so that a reconnect does not begin too early or too late. */
const mark = (seq: number): string => `: \nid: ${seq}\n\n`;

async function* frames(
  {
    feed,
    after,
    matches,
    shown = (event) => event,
    isAllowed = () => true,
    heartbeatMs = HEARTBEAT_MS,
  }: StreamOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let cursor = after;
  yield `retry: 1000\n${mark(cursor)}`;
  while (!signal.aborted && !feed.isClosed) {
    const { known } = feed;
    const page = await feed.read(cursor);
    cursor = page.at(-1)?.seq ?? cursor;
    const text = page.filter(matches).map(shown).map(frame).join('');
    if (!isAllowed()) return;
    if (text !== '') yield text;
    if (page.length > 0) continue;
    await feed.wait(known, heartbeatMs, signal);
    if (feed.known === known && !signal.aborted && !feed.isClosed) yield mark(cursor);
  }
}

/** Written only as fast as the listener reads. */
export function eventStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  const source = frames(options, gone.signal);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await source.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel() {
      gone.abort();
    },
  });
}
