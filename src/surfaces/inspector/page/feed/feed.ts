/** The newest events and the state of the connection, shared by all views. */
import type { KeepsakeEvent } from '../api.ts';
import { call } from '../call.ts';

const LOOK_BACK = 300;

type FeedState = 'connecting' | 'live' | 'reconnecting' | 'no session';

interface Feed {
  /** Oldest first. */
  events: readonly KeepsakeEvent[];
  state: FeedState;
  /** Number of the newest event; undefined until the stream has begun. */
  latest: number | undefined;
}

export const feed: Feed = { events: [], state: 'connecting', latest: undefined };

/** How many events are kept; grows with what is read of the past. */
let kept = 2000;
const listeners = new Set<(event: KeepsakeEvent) => void>();
const watchers = new Set<() => void>();

/** Returns how to unsubscribe. */
export function onEvent(listener: (event: KeepsakeEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back at once, when the state changes, and when older events were read. Returns how to unsubscribe. */
export function onFeed(watcher: () => void): () => void {
  watchers.add(watcher);
  watcher();
  return () => watchers.delete(watcher);
}

export function setState(state: FeedState): void {
  feed.state = state;
  for (const watcher of watchers) watcher();
}

function keep(events: readonly KeepsakeEvent[]): void {
  feed.events = [...feed.events, ...events].slice(-kept);
}

function readBefore(seq: number): Promise<readonly KeepsakeEvent[]> {
  return call('GET /v1/events/read', { query: { after: Math.max(0, seq - LOOK_BACK), limit: LOOK_BACK } });
}

/** What happened shortly before the page was opened. */
async function readPast(latest: number): Promise<void> {
  const past = await readBefore(latest);
  const newer = feed.events;
  feed.events = past.filter(({ seq }) => seq <= latest);
  keep(newer);
  setState(feed.state);
}

/** One step of the stream; the first one has a number only. */
export function receive(seq: number, event?: KeepsakeEvent): void {
  const isFirst = feed.latest === undefined;
  feed.latest = seq;
  if (isFirst) readPast(seq).catch(() => {});
  if (event === undefined) return;
  keep([event]);
  for (const listener of listeners) listener(event);
}

/** Whether there are events before those that are known; the first of all has number 1. */
export function hasEarlier(): boolean {
  const [first] = feed.events;
  return first !== undefined && first.seq > 1;
}

/** Returns how many were read. */
export async function readEarlier(): Promise<number> {
  const first = feed.events[0]?.seq ?? 0;
  const past = await readBefore(first - 1);
  const known = new Set(feed.events.map(({ seq }) => seq));
  const earlier = past.filter(({ seq }) => seq < first && !known.has(seq));
  kept += earlier.length;
  feed.events = [...earlier, ...feed.events];
  setState(feed.state);
  return earlier.length;
}
