/** A stored record as a decision gets it; a test names only the fields that it is about. */
import type { RecordDraft, StoredRecord } from '../../../src/ports/record-store.ts';
import { recordDraft, START } from '../../../src/testing/conformance/drafts.ts';

export function storedRecord(fields: Partial<StoredRecord> = {}): StoredRecord {
  const { embedding: _, ...draft }: RecordDraft = recordDraft();
  return {
    ...draft,
    createdAt: START,
    updatedAt: START,
    expiryReason: null,
    supersedes: null,
    supersededBy: null,
    forgottenAt: null,
    version: 1,
    change: 'added',
    changedBy: 'alice',
    accessCount: 0,
    lastAccessedAt: null,
    injectedCount: 0,
    counted: true,
    ...fields,
  };
}

/** The code and the message of what a decision throws. */
export function refusal(decide: () => unknown): { code: string; message: string } {
  try {
    decide();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error('It was not refused.');
}
