/** One key that saturates the server waits for itself; others do not wait for it. */
import { expect, it } from 'vitest';
import { announcedBytes, FairShare } from '../../../src/surfaces/http/fair-share.ts';

const KIB = 1024;
/** What was begun, in order, and how to end one of them. */
function scene() {
  const shares = new FairShare(4);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = async (name: string, key: string, bytes = 0) => {
    const end = await shares.take(key, bytes);
    begun.push(name);
    ends.set(name, end);
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { shares, begun, ask, settle, end: (name: string) => ends.get(name)!() };
}

it('lets a key have as many short requests under way as its share holds, the others in order', async () => {
  const { shares, begun, ask, settle, end } = scene();
  for (const name of ['1', '2', '3', '4', '5', '6']) void ask(name, 'a');
  await settle();
  expect(begun).toEqual(['1', '2', '3', '4']);
  expect(shares.waiting()).toBe(2);
  end('2');
  end('2');
  await settle();
  expect(begun).toEqual(['1', '2', '3', '4', '5']);
});

it('counts long texts for as much as they cost, and begins the longest of all alone', async () => {
  const { begun, ask, settle, end } = scene();
  void ask('huge', 'a', 1_000 * KIB);
  void ask('short', 'a');
  await settle();
  expect(begun).toEqual(['huge']);
  end('huge');
  await settle();
  expect(begun).toEqual(['huge', 'short']);
});

it('does not let a short request overtake a long one of the same key', async () => {
  const { begun, ask, settle, end } = scene();
  void ask('first', 'a');
  void ask('long', 'a', 24 * KIB);
  void ask('last', 'a');
  await settle();
  expect(begun).toEqual(['first']);
  end('first');
  await settle();
  expect(begun).toEqual(['first', 'long']);
});

it('begins the request of a neighbour at once, however much another key has waiting', async () => {
  const { begun, ask, settle } = scene();
  for (let i = 0; i < 50; i += 1) void ask(`busy ${i}`, 'a', 100 * KIB);
  void ask('neighbour', 'b');
  await settle();
  expect(begun).toEqual(['busy 0', 'neighbour']);
});

it('reads the length that a request announces, and takes one without for long', () => {
  const headers = (given: Record<string, string>) => (name: string) => given[name];
  expect(announcedBytes('GET', headers({ 'content-length': '9' }))).toBe(0);
  expect(announcedBytes('POST', headers({ 'content-length': '9' }))).toBe(9);
  expect(announcedBytes('POST', headers({}))).toBe(0);
  expect(announcedBytes('POST', headers({ 'transfer-encoding': 'chunked' }))).toBe(Number.MAX_SAFE_INTEGER);
});
