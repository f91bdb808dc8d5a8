/** Following a list page by page: everything arrives once and in order, and it ends when it should. */
import { expect, it } from 'vitest';
import { type Following, followPages } from '../../../src/drivers/common/follow-pages.ts';

/** A list of numbers that grows by what `news` brings, and ends when there is none left. */
function listOf(first: readonly number[], news: readonly (readonly number[])[] = []) {
  const items = [...first];
  const coming = [...news];
  const reads: number[] = [];
  const following: Following<number> = {
    after: 0,
    signal: undefined,
    read: async (after, limit) => {
      reads.push(after);
      const page = items.filter((item) => item > after).slice(0, limit);
      return { items: page, isLast: () => coming.length === 0 };
    },
    numberOf: (item) => item,
    news: async () => void items.push(...(coming.shift() ?? [])),
    isClosed: () => false,
  };
  return { following, reads };
}

async function all(following: Following<number>, until = Number.POSITIVE_INFINITY): Promise<number[]> {
  const seen: number[] = [];
  for await (const item of followPages(following)) if (seen.push(item) >= until) break;
  return seen;
}

it('reads page after page, then waits for news, and ends with the list', async () => {
  const first = Array.from({ length: 1_200 }, (_, i) => i + 1);
  const { following, reads } = listOf(first, [[1_201], [], [1_202, 1_205]]);
  expect(await all(following)).toEqual([...first, 1_201, 1_202, 1_205]);
  expect(reads.slice(0, 4)).toEqual([0, 500, 1_000, 1_200]);
});

it('begins after a number', async () => {
  const { following } = listOf([1, 2, 3]);
  expect(await all({ ...following, after: 2 })).toEqual([3]);
});

it('stops in the middle of a page when the signal says so', async () => {
  const controller = new AbortController();
  const { following } = listOf([1, 2, 3]);
  const seen: number[] = [];
  for await (const item of followPages({ ...following, signal: controller.signal })) {
    seen.push(item);
    if (item === 2) controller.abort();
  }
  expect(seen).toEqual([1, 2]);
});

it('reads nothing when it is aborted or closed before', async () => {
  const { following, reads } = listOf([1]);
  expect(await all({ ...following, signal: AbortSignal.abort() })).toEqual([]);
  expect(await all({ ...following, isClosed: () => true })).toEqual([]);
  expect(reads).toEqual([]);
});

it('asks nothing more of a store that was closed during the read', async () => {
  let isClosed = false;
  const { following } = listOf([], [[1]]);
  const read: Following<number>['read'] = async () => {
    isClosed = true;
    return { items: [], isLast: () => expect.fail('asked a closed store') };
  };
  expect(await all({ ...following, read, isClosed: () => isClosed })).toEqual([]);
});
