/** The Redis stream that announces new events: one entry with the newest number. */
import { DAY } from '../../kernel/clock.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { script } from './connection.ts';

/** An event store that can be told about: everybody who opens it knows it by one name, and each handle says what it wrote. */
export type NamedEventStore = EventStore & Required<Pick<EventStore, 'identity' | 'onCommit'>>;

export function isNamed(store: EventStore): store is NamedEventStore {
  return store.identity !== undefined && store.onCommit !== undefined;
}

/** By the name of the event stream, so that workspaces that share a Redis do not hear each other. */
export const newsOf = (identity: string): string => `keepsake:{${identity}}:events`;

/** A workspace that nobody writes to leaves nothing behind. */
export const KEPT_MS = 7 * DAY;

/**
 * KEYS: news. ARGV: newest number, how long it is kept, in ms. A stream and not a channel: who was unavailable for a moment finds it,
 * it lives on the node of its key, and a user that may touch its own keys needs no other right.
 */
export const TELL = script(`
redis.call('XADD', KEYS[1], 'MAXLEN', 1, '*', 'seq', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);
