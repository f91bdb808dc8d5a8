/** The expired memories that a caller may erase. */
import { defined } from '../kernel/defined.ts';
import type { MemoryRecord, Source } from '../kernel/record.ts';
import { mayChange, type Viewer } from '../kernel/scope.ts';
import type { RecordStore } from '../ports/record-store.ts';

const PAGE = 500;

export async function expiredFor(
  store: Pick<RecordStore, 'list'>,
  viewer: Viewer,
  now: number,
  { source, before }: { readonly source?: Source; readonly before?: number },
): Promise<MemoryRecord[]> {
  const expired: MemoryRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list({
      ...{ viewer, now, states: ['expired'], limit: PAGE },
      filter: source === undefined ? {} : { sources: [source] },
      ...defined({ after }),
    });
    const due = page.filter(({ expiresAt }) => before === undefined || (expiresAt ?? now) < before);
    // What was superseded is the past of something that lives: it goes when it is forgotten, not by the dozen.
    const over = due.filter(({ expiryReason }) => expiryReason !== 'superseded');
    expired.push(...over.filter((record) => mayChange(viewer, record)));
    if (page.length < PAGE) return expired;
    after = page.at(-1)!.id;
  }
}
