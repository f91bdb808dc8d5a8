/** When two records are the same, and what the second one adds to the first. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { RecordDraft, RecordPatch } from '../../ports/record-store.ts';

/** Records with the same identity are duplicates. The same words in another conversation or document are another record. */
export function identityOf(
  record: Pick<MemoryRecord, 'agent' | 'user' | 'category' | 'content' | 'thread'> & {
    readonly scope: string;
    readonly source: string;
  },
): readonly string[] {
  const { agent, user, scope, source, category, content, thread } = record;
  const parts = [agent, scope, source, category, content];
  if (user !== null) return [...parts, 'user', user, ...(thread === null ? [] : [thread])];
  return thread === null ? parts : [...parts, thread];
}

type Strength = Pick<MemoryRecord, 'tags' | 'expiresAt' | 'pinned' | 'confidence'>;

/** What a duplicate adds to the record that it repeats: a longer life, a pin, more confidence, more tags. */
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
