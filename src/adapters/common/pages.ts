/** Reads all items of a place, page by page, for adapters whose framework wants everything. */
import type { AgentHandle } from '../../client/index.ts';

export type Items = AgentHandle['items'];
export type StoredItem = Awaited<ReturnType<Items['list']>>[number];

const PAGE = 1_000;

/** Oldest first. */
export async function allItems(items: Items, namespace: string[], exact = true): Promise<StoredItem[]> {
  const all: StoredItem[] = [];
  for (let after = 0; ; ) {
    const page = await items.list({ namespace, exact, after, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)!.seq;
  }
}

/** Newest first, as long as the caller wants more. */
export async function* newestItems(
  items: Items,
  place: { readonly namespace: string[]; readonly exact: boolean },
  pageSize = 50,
): AsyncGenerator<StoredItem> {
  for (let before: number | undefined; ; ) {
    const page = await items.list({ ...place, newest: true, limit: pageSize, ...(before && { before }) });
    yield* page;
    if (page.length < pageSize) return;
    before = page.at(-1)!.seq;
  }
}

/** Tries again when somebody else was faster: `work` reads, decides, and writes with a condition. */
export async function untilDone<T>(work: () => Promise<T>, tries = 50): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || (error as { code?: unknown }).code !== 'CONFLICT') throw error;
    }
  }
}
