/** Saying a thing again, and more firmly, must not be lost on the record that said it first. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { RecordDraft, RecordPatch } from '../../ports/record-store.ts';

type Strength = Pick<MemoryRecord, 'tags' | 'expiresAt' | 'pinned' | 'confidence'>;

/** What a duplicate adds to the record it duplicates: a longer life, a pin, more confidence, more tags. */
export function strengthening(record: Strength, draft: RecordDraft): RecordPatch {
  const more = draft.tags.filter((tag) => !record.tags.includes(tag));
  const isLonger =
    record.expiresAt !== null && (draft.expiresAt === null || draft.expiresAt > record.expiresAt);
  return {
    ...(isLonger ? { expiresAt: draft.expiresAt } : {}),
    ...(draft.pinned && !record.pinned ? { pinned: true } : {}),
    ...(draft.confidence > record.confidence ? { confidence: draft.confidence } : {}),
    ...(more.length > 0 ? { tags: [...record.tags, ...more] } : {}),
  };
}
