/** What every engine knows about a record that was just added, and about one version of it. */
import { type MemoryRecord, type RecordVersion, stateAt } from '../../kernel/record.ts';
import type { RecordDraft } from '../../ports/record-store.ts';

/** A record as `toRecord` would read it back right after it was added. */
export function newRecord(
  { embedding: _, ...draft }: RecordDraft,
  supersedes: string | null,
  at: number,
): MemoryRecord {
  const state = stateAt(at, { expiresAt: draft.expiresAt, forgottenAt: null });
  return {
    ...draft,
    state,
    createdAt: at,
    updatedAt: at,
    expiryReason: state === 'expired' ? 'ttl' : null,
    supersedes,
    supersededBy: null,
    forgottenAt: null,
    version: 1,
    accessCount: 0,
    lastAccessedAt: null,
    injectedCount: 0,
  };
}

/** What a version remembers: the fields that a caller can change. */
export type Snapshot = Omit<RecordVersion, 'id' | 'version' | 'change' | 'changedAt' | 'changedBy'>;
