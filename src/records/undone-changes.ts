/** Determines how an undo changes who sees a memory, so that it can be checked like any other change. */
import { defined } from '../kernel/defined.ts';
import type { MemoryRecord, RecordVersion } from '../kernel/record.ts';

/** The fields of an earlier version that decide which prompts a memory enters, as far as they differ from now. */
export function changedReach(
  present: MemoryRecord,
  versions: readonly RecordVersion[],
  asked: number | undefined,
): Partial<Pick<RecordVersion, 'pinned' | 'category' | 'scope'>> {
  const restored = versions.find(({ version }) => version === (asked ?? present.version - 1));
  if (restored === undefined) return {};
  const { pinned, category, scope } = restored;
  return defined({
    pinned: pinned === present.pinned ? undefined : pinned,
    category: category === present.category ? undefined : category,
    scope: scope === present.scope ? undefined : scope,
  });
}
