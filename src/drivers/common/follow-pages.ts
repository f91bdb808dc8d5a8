/** Follows a list that grows, page by page: everything after a number as it comes, until the list has ended. */

const PAGE = 500;

export interface Page<T> {
  readonly items: readonly T[];
  /** Whether nothing can follow an empty page. */
  readonly isLast: () => boolean | Promise<boolean>;
}

export interface Following<T> {
  readonly after: number;
  readonly signal: AbortSignal | undefined;
  readonly read: (after: number, limit: number) => Promise<Page<T>>;
  /** The number of an item. */
  readonly numberOf: (item: T) => number;
  /** Resolves when reading again is worth it. */
  readonly news: () => Promise<void>;
  readonly isClosed: () => boolean;
}

export async function* followPages<T>({ signal, ...list }: Following<T>): AsyncGenerator<T> {
  let { after } = list;
  while (!list.isClosed() && signal?.aborted !== true) {
    const page = await list.read(after, PAGE);
    for (const item of page.items) {
      after = list.numberOf(item);
      yield item;
      if (signal?.aborted) return;
    }
    if (page.items.length > 0) continue;
    if (list.isClosed() || (await page.isLast())) return;
    await list.news();
  }
}
