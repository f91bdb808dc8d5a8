/** The versions of a memory in the form of mem0: each names the text before and after the change. */
import type { RecordVersion } from '../../kernel/record.ts';
import type { HistoryEntry } from './types.ts';

export function historyOf(versions: readonly RecordVersion[]): HistoryEntry[] {
  // Of a deleted memory one empty version stays, which says that it existed.
  const kept = versions.filter(({ content }) => content !== '');
  return kept.map(({ id, version, changedAt, content }, index) => {
    const at = new Date(changedAt).toISOString();
    return {
      id: `${id}:${version}`,
      memoryId: id,
      previousValue: kept[index - 1]?.content ?? null,
      newValue: content,
      action: index === 0 ? 'ADD' : 'UPDATE',
      createdAt: at,
      updatedAt: at,
      isDeleted: 0,
    };
  });
}
