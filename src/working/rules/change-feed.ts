/** Limits of the change feed of a working state. */
import type { JsonValue } from '../../kernel/json.ts';

/** Longer values are left out of the feed: whoever needs one reads the document. */
const MOST_CHARACTERS = 8_192;

/** How many changes of a run the feed keeps. */
export const KEPT_CHANGES = 10_000;

export interface FeedEntry {
  readonly version: number;
  /** As JSON; null when nothing was given, or when it is too long. */
  readonly value: string | null;
  /** Changes up to this version leave the feed; 0 when all fit. */
  readonly dropUpTo: number;
}

/** The entry that the change to `version` leaves in the feed. */
export function feedEntry(value: JsonValue | undefined, version: number): FeedEntry {
  return { version, value: feedValue(value), dropUpTo: Math.max(0, version - KEPT_CHANGES) };
}

export function feedValue(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? text : null;
}
