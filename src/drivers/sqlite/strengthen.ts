/** Saying a thing again, and more firmly, must not be lost on the record that said it first. */
import type { RecordDraft, RecordPatch } from '../../ports/record-store.ts';
import type { RecordRow } from './record-rows.ts';

/** What a duplicate adds to the record it duplicates: a longer life, a pin, more confidence, more tags. */
export function strengthening(row: RecordRow, draft: RecordDraft): RecordPatch {
  const tags = JSON.parse(row.tags) as string[];
  const more = draft.tags.filter((tag) => !tags.includes(tag));
  const longer =
    row.expires_at !== null && (draft.expiresAt === null || draft.expiresAt > row.expires_at)
      ? { expiresAt: draft.expiresAt }
      : {};
  return {
    ...longer,
    ...(draft.pinned && row.pinned === 0 ? { pinned: true } : {}),
    ...(draft.confidence > row.confidence ? { confidence: draft.confidence } : {}),
    ...(more.length > 0 ? { tags: [...tags, ...more] } : {}),
  };
}
