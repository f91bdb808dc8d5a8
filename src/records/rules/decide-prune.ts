/** Decides which facts leave search when an agent has more than its cap allows. */
import type { EventDraft } from '../../kernel/events.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { StoredRecord, WriteContext } from '../../ports/record-store.ts';
import { prunedEvent } from './record-events.ts';

/** A fact that takes a place of the cap. */
export type Candidate = Pick<MemoryRecord, 'id' | 'agent' | 'user' | 'category'>;

export interface PrunePlan {
  /** Ids of the facts that leave. */
  readonly pruned: readonly string[];
  readonly fields: Pick<StoredRecord, 'expiresAt' | 'expiryReason' | 'counted'>;
  /** How many facts the agent has more: less than 0. */
  readonly facts: number;
  readonly events: readonly EventDraft[];
}

/**
 * The fields by which facts are sorted for pruning, all ascending, and then by age: extracted before manual, the least sure,
 * the longest unchanged. Pinned facts stay. Engines have an index of this order, so that the weakest are found at once.
 */
export const WEAKEST_FIRST = ['source', 'confidence', 'updatedAt'] as const;

/**
 * How many facts are too many. Those that expired by themselves still hold a place: an engine releases them first, and asks
 * again before a living one leaves.
 */
export const overflowOf = (facts: number, limit: number): number => Math.max(0, facts - limit);

/** `weakest`: as many as must leave, or fewer if the others are pinned. */
export function decidePrune(weakest: readonly Candidate[], limit: number, context: WriteContext): PrunePlan {
  return {
    pruned: weakest.map(({ id }) => id),
    fields: { expiresAt: context.at, expiryReason: 'maxEntries', counted: false },
    facts: -weakest.length,
    events: weakest.map((candidate) => prunedEvent(candidate, limit, context)),
  };
}
