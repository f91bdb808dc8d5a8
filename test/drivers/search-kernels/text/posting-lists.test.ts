/** Lists of numbers in shared memory behave like arrays, and leave nothing behind. */
import { expect, it } from 'vitest';
import { PostingLists } from '../../../../src/drivers/search-kernels/text/posting-lists.ts';
import { seededRandom } from '../../../../src/testing/index.ts';

function contentOf(lists: PostingLists, list: number): number[] {
  const all: number[] = [];
  lists.visit(list, (page, from, to) => all.push(...page.subarray(from, to)));
  return all;
}

it.each([1, 2, 3])('random pushes and sweeps, seed %i', (seed) => {
  const random = seededRandom(seed);
  const lists = new PostingLists();
  const model = new Map<number, number[]>();
  for (let step = 0; step < 400; step++) {
    const list = model.size < 12 ? lists.create() : random.pick([...model.keys()]);
    const values = model.get(list) ?? [];
    model.set(list, values);
    const count = random.pick([1, 3, 4, 50, 3_000]);
    for (let i = 0; i < count; i++) {
      const value = random.below(2 ** 32);
      lists.push(list, value);
      values.push(value);
    }
    if (random.below(3) > 0) continue;
    const swept = random.pick([...model.keys()]);
    const divisor = random.pick([1, 2, 10, 1_000]);
    const isKept = (value: number) => value % divisor !== 0;
    const kept = model.get(swept)!.filter(isKept);
    expect(lists.sweep(swept, isKept)).toBe(kept.length > 0);
    if (kept.length === 0) model.delete(swept);
    else model.set(swept, kept);
  }
  for (const [list, values] of model) {
    expect(contentOf(lists, list)).toEqual(values);
    expect(lists.countOf(list)).toBe(values.length);
  }
});
