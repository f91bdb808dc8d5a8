/** Standing memory: instructions and preferences that apply to every task, so that no search has to find them. */
import { DAY } from '../kernel/clock.ts';
import type { MemoryRecord, Origin } from '../kernel/record.ts';

/** Categories whose memories always apply. */
export const STANDING_CATEGORIES = ['instruction', 'preference'] as const;

/** What a web page or a tool says does not apply to every task by itself; a person can pin it. */
const HEARSAY: readonly Origin[] = ['tool', 'web'];

export function isHearsay({ origin }: Pick<MemoryRecord, 'origin'>): boolean {
  return HEARSAY.includes(origin);
}

/** A lie that reads like a preference is found where a task brings it up, marked as unverified, and not in every prompt. */
export function alwaysHolds(record: MemoryRecord): boolean {
  return record.pinned || record.category === 'instruction' || !isHearsay(record);
}

/** An instruction from last year counts half of one from today: old orders are more often out of date. */
const HALF_LIFE_DAYS = 365;

function weight({ confidence, updatedAt }: MemoryRecord, now: number): number {
  return confidence * 2 ** (-Math.max(0, now - updatedAt) / DAY / HALF_LIFE_DAYS);
}

/** Pinned first, then by confidence × recency; ties go to the newer. */
export function orderStanding(records: readonly MemoryRecord[], now: number): MemoryRecord[] {
  return [...records].sort(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) ||
      weight(b, now) - weight(a, now) ||
      b.updatedAt - a.updatedAt ||
      (a.id < b.id ? 1 : -1),
  );
}

/** Whole memories only, in order, as long as they fit; a shorter one may still fit where a longer one did not. */
export function withinBudget(
  records: readonly MemoryRecord[],
  characters: number,
): { readonly fitting: MemoryRecord[]; readonly leftOut: number } {
  const fitting: MemoryRecord[] = [];
  let left = characters;
  for (const record of records) {
    if (record.content.length > left) continue;
    fitting.push(record);
    left -= record.content.length;
  }
  return { fitting, leftOut: records.length - fitting.length };
}

/** The part of a budget that standing memory gets first, the rest being for what was found for the task. */
const STANDING_SHARE = 0.6;
/** A person pinned them, so they may take more; but a part is left to what was found for the task in any case. */
const PINNED_SHARE = 0.75;

/**
 * The order in which standing and relevant memories get room, so that neither takes it all: each within its share,
 * then standing memory and after it the other with what is left.
 */
export function inShares<T>(
  standing: readonly T[],
  relevant: readonly T[],
  room: number,
  costOf: (memory: T) => { readonly characters: number; readonly pinned: boolean },
): readonly T[] {
  let taken = 0;
  const taking = (share: (pinned: boolean) => number) => (memory: T) => {
    const { characters, pinned } = costOf(memory);
    if (taken + characters > room * share(pinned)) return false;
    taken += characters;
    return true;
  };
  const first = [...standing.filter(taking((pinned) => (pinned ? PINNED_SHARE : STANDING_SHARE)))];
  // What standing memory leaves of its share is not for the other yet.
  taken = Math.max(taken, room * STANDING_SHARE);
  first.push(...relevant.filter(taking(() => 1)));
  return [...first, ...[...standing, ...relevant].filter((memory) => !first.includes(memory))];
}
