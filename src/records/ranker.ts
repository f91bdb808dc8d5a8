/** From evidence to order: `relevance` says how well a record fits (0..1), `score` orders what fits. Never mixed up. */
import { DAY, HOUR } from '../kernel/clock.ts';
import type { MemoryRecord } from '../kernel/record.ts';

export interface RankingOptions {
  readonly recencyHalfLifeDays: number;
  readonly accessBoostMax: number;
  readonly accessRecencyHours: number;
}

export interface Factors {
  readonly relevance: number;
  readonly recencyDecay: number;
  readonly accessBoost: number;
}

export interface MemoryHit extends MemoryRecord {
  /** How well it answers the query, 0 to 1; comparable between queries and usable as a threshold. */
  readonly relevance: number;
  /** The product of all factors; orders the hits of one query. */
  readonly score: number;
  readonly factors: Factors;
}

/** Halves with every half-life. A record from the future (another machine's clock) counts as new. */
export function recencyDecay(updatedAt: number, now: number, halfLifeDays: number): number {
  return 2 ** (-Math.max(0, now - updatedAt) / DAY / halfLifeDays);
}

/** Up to `max` for records opened often and lately: full within the window, then fading with the time since. */
export function accessBoost(
  record: Pick<MemoryRecord, 'accessCount' | 'lastAccessedAt'>,
  now: number,
  { accessBoostMax, accessRecencyHours }: RankingOptions,
): number {
  if (record.accessCount === 0 || record.lastAccessedAt === null) return 1;
  const hours = Math.max(0, now - record.lastAccessedAt) / HOUR;
  const recency = hours <= accessRecencyHours ? 1 : accessRecencyHours / hours;
  return 1 + Math.min(record.accessCount / 10, accessBoostMax - 1) * recency;
}

/** Profile `classic`: score = relevance × recencyDecay × accessBoost; ties go to the newer, then to the greater id. */
export function rank(
  found: readonly { readonly record: MemoryRecord; readonly relevance: number }[],
  now: number,
  options: RankingOptions,
): MemoryHit[] {
  return found
    .map(({ record, relevance }) => {
      const factors: Factors = {
        relevance,
        recencyDecay: recencyDecay(record.updatedAt, now, options.recencyHalfLifeDays),
        accessBoost: accessBoost(record, now, options),
      };
      return { ...record, relevance, score: relevance * factors.recencyDecay * factors.accessBoost, factors };
    })
    .sort((a, b) => b.score - a.score || b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
}
