/** What the search in memory may take: nothing before it is worth it, and never more than its budget. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ResidentSearch, type ResidentSource } from '../../../src/drivers/resident-search/index.ts';
import type { MemoryRecord } from '../../../src/kernel/record.ts';

const LARGE = 2 ** 26;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const recordOf = (rid: number): MemoryRecord =>
  ({
    ...({
      id: `mem_${rid}`,
      agent: 'ann',
      user: null,
      scope: 'agent',
      source: 'manual',
      thread: null,
    } as const),
    ...{
      category: 'fact',
      tags: [],
      metadata: {},
      content: `lamp number${rid}`,
      confidence: 1,
      pinned: false,
    },
    ...({
      origin: 'user',
      version: 1,
      createdAt: 0,
      updatedAt: 0,
      validFrom: null,
      expiresAt: null,
    } as const),
    ...{ accessCount: 0, lastAccessedAt: null, shownCount: 0, supersedes: null, supersededBy: null },
  }) as unknown as MemoryRecord;

/** A store of so many records that never change; counts how often all of them are read. */
function sourceOf(count: number) {
  const source: ResidentSource<number> & { loads: number } = {
    loads: 0,
    head: async () => {
      source.loads++;
      return { position: 0, records: count, words: 0 };
    },
    page: async (after, limit) =>
      Array.from({ length: Math.min(limit, count - after) }, (_, i) => {
        const rid = after + i + 1;
        return { rid, record: recordOf(rid), embedding: undefined };
      }),
    // Body, category and the mark of a private record.
    since: async () => ({ position: 0, records: count, words: 4 * count, rows: [], more: false }),
    logarithms: async (values) => values.map(Math.log),
  };
  return source;
}

async function asked(search: ResidentSearch<number>, times: number): Promise<boolean> {
  let isInMemory = false;
  for (let i = 0; i < times; i++) {
    isInMemory = (await search.current()) !== undefined;
    // Loading goes on meanwhile.
    for (let step = 0; step < 20; step++) await Promise.resolve();
  }
  return isInMemory;
}

it('a process that asks once never reads everything', async () => {
  const source = sourceOf(10);
  const search = new ResidentSearch(source, { bytes: LARGE });
  expect(await asked(search, 3)).toBe(false);
  expect(source.loads).toBe(0);
  expect(await asked(search, 20)).toBe(true);
  expect(source.loads).toBe(1);
  search.close();
});

it('stops reading where its budget ends, and leaves the answers to the engine', async () => {
  const source = sourceOf(5_000);
  const page = vi.spyOn(source, 'page');
  const search = new ResidentSearch(source, { bytes: 500_000 });
  expect(await asked(search, 60)).toBe(false);
  expect(search.bytes).toBe(0);
  expect(page.mock.calls.length).toBeLessThan(10);
  expect(source.loads).toBe(1);
  search.close();
});
