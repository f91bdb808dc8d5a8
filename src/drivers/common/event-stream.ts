/** How long the stream of events keeps events, the same in every engine. */

/** Older events are trimmed: the stream is for following what happens, not an archive. */
const KEPT_EVENTS = 100_000;
/** Trimming with every write would cost time; once in this many events it does not. */
const TRIM_EVERY = 1_000;

/** The key in the table `meta` under which the name of the stream is stored. */
export const STREAM_NAME = 'event_stream';

/** After writing the events from `first` to `last`: those up to this number are deleted; 0 when it is not time yet. */
export function trimUpTo(first: number, last: number = first): number {
  const isDue = Math.floor(last / TRIM_EVERY) > Math.floor((first - 1) / TRIM_EVERY);
  return isDue ? Math.max(0, last - KEPT_EVENTS) : 0;
}
