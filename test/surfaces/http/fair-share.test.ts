/** One key that saturates the server waits for itself; others do not wait for it. */
import { afterEach, expect, it, vi } from 'vitest';
import { announcedBytes, FairShare } from '../../../src/surfaces/http/fair-share.ts';

const KIB = 1024;
afterEach(() => void vi.useRealTimers());

/** What was begun, in order, and how to end one of them. */
function scene(most = 4, besideOthers = most) {
  const shares = new FairShare(most, besideOthers);
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

it('lets a key that used more begin nothing while one that used less has work under way', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { begun, ask, settle, end } = scene(32, 8);
  for (let i = 0; i < 4; i += 1) void ask(`long ${i}`, 'a', 12 * KIB);
  await settle();
  expect(begun).toEqual(['long 0', 'long 1', 'long 2', 'long 3']);
  void ask('long 4', 'a', 12 * KIB);
  void ask('neighbour', 'b');
  await settle();
  for (let i = 0; i < 4; i += 1) end(`long ${i}`);
  await settle();
  expect(begun.slice(4)).toEqual(['neighbour']);
  // Its turn comes when the neighbour is done,
  end('neighbour');
  await settle();
  expect(begun.slice(5)).toEqual(['long 4']);
  // or when it has waited long enough.
  void ask('neighbour again', 'b');
  void ask('long 5', 'a', 12 * KIB);
  await settle();
  end('long 4');
  await settle();
  expect(begun.slice(6)).toEqual(['neighbour again']);
  vi.advanceTimersByTime(25);
  await settle();
  expect(begun.slice(7)).toEqual(['long 5']);
});

it('begins one long text at a time beside other keys, and many when a key is alone again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { begun, ask, settle, end } = scene(32, 8);
  void ask('neighbour', 'b');
  await settle();
  end('neighbour');
  for (let i = 0; i < 5; i += 1) void ask(`long ${i}`, 'a', 12 * KIB);
  await settle();
  expect(begun).toEqual(['neighbour', 'long 0']);
  vi.advanceTimersByTime(1_000);
  end('long 0');
  await settle();
  expect(begun.slice(2)).toEqual(['long 1', 'long 2', 'long 3', 'long 4']);
});

it('gives a key that was away no credit for that time', async () => {
  const { begun, ask, settle, end } = scene(1);
  for (let i = 0; i < 10; i += 1) {
    void ask(`a ${i}`, 'a');
    await settle();
    end(`a ${i}`);
  }
  // Both have much to do now, and take turns.
  for (let i = 0; i < 3; i += 1) {
    void ask(`b ${i}`, 'b');
    void ask(`a later ${i}`, 'a');
  }
  for (let i = 10; i < 16; i += 1) {
    await settle();
    for (const name of begun.slice(i)) end(name);
  }
  expect(begun.slice(10).toSorted()).toEqual(['a later 0', 'a later 1', 'a later 2', 'b 0', 'b 1', 'b 2']);
  expect(begun.indexOf('a later 1')).toBeLessThan(begun.indexOf('b 2'));
});

it('reads the length that a request announces, and takes one without for long', () => {
  const headers = (given: Record<string, string>) => (name: string) => given[name];
  expect(announcedBytes('GET', headers({ 'content-length': '9' }))).toBe(0);
  expect(announcedBytes('POST', headers({ 'content-length': '9' }))).toBe(9);
  expect(announcedBytes('POST', headers({}))).toBe(0);
  expect(announcedBytes('POST', headers({ 'transfer-encoding': 'chunked' }))).toBe(Number.MAX_SAFE_INTEGER);
});
